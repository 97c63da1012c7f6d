import { expect, it } from 'vitest'
import { isModelCall, parseModel } from '../../src/cli/model.ts'

it('is a call of its own, unless a folder is named', () => {
  for (const args of [['model'], ['model', 'add'], ['model', 'list'], ['model', '--help']])
    expect(isModelCall(args)).toBe(true)
  expect(isModelCall(['model', 'song.mp3'])).toBe(false)
  expect(isModelCall(['music'])).toBe(false)
})

it('reads its arguments, and refuses others', () => {
  expect(parseModel(['add'])).toEqual({ task: 'add', from: undefined })
  expect(parseModel(['add', 'yamnet.tflite'])).toEqual({ task: 'add', from: 'yamnet.tflite' })
  expect(parseModel(['list'])).toEqual({ task: 'list' })
  expect(parseModel(['-h'])).toBe('help')
  expect(() => parseModel([])).toThrow('needs one of add, list, remove')
  expect(() => parseModel(['remove', 'all'])).toThrow('"all" is more than model remove takes')
  expect(() => parseModel(['add', 'a', 'b'])).toThrow('"b" is more')
})
