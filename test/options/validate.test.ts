import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nearestName, parseInput } from '../../src/options/validate.ts'
import { ParameterError } from '../../src/values/errors.ts'

const schema = z.strictObject({
  name: z.string(),
  results: z.int().min(0).max(100).optional(),
  tempo: z.tuple([z.number(), z.number()]).optional(),
  nested: z
    .union([z.string(), z.array(z.strictObject({ tempo: z.number().optional() }))])
    .default([]),
  bucket: z.union([z.enum(['audio_summary']), z.array(z.enum(['audio_summary']))]).optional(),
})

function failure(input: unknown): ParameterError {
  try {
    parseInput(schema, input)
  } catch (error) {
    return error as ParameterError
  }
  throw new Error('was accepted')
}

describe('parse', () => {
  it('gives back what is right', () => {
    expect(parseInput(schema, { name: 'a', results: 3 })).toEqual({
      name: 'a',
      results: 3,
      nested: [],
    })
  })

  it.each([
    [{}, 'missing_parameter', 4, 'name - Missing parameter'],
    [
      { name: 'a', tempo: 120 },
      'invalid_parameter',
      5,
      'tempo - Invalid parameter: 120 must be a list, such as [1, 2]',
    ],
    [{ name: 7 }, 'invalid_parameter', 5, 'name - Invalid parameter: 7 must be a string'],
    [
      { name: 'a', results: 101 },
      'invalid_parameter',
      5,
      'results - Invalid parameter: 101 must be <= 100',
    ],
    [
      { name: 'a', bucket: 'audio' },
      'invalid_parameter',
      5,
      'bucket - Invalid parameter: "audio" is not one of "audio_summary"',
    ],
    [
      { name: 'a', reslts: 1 },
      'invalid_parameter',
      5,
      'reslts - Unknown parameter; did you mean "results"?',
    ],
    [
      { name: 'a', nested: [{ tempoo: 1 }] },
      'invalid_parameter',
      5,
      'nested.0 - Invalid parameter: "tempoo"; did you mean "tempo"?',
    ],
    [null, 'invalid_parameter', 5, 'parameters - Invalid parameter: null must be an object'],
  ])('%j', (input, code, status, message) => {
    const error = failure(input)
    expect(error).toBeInstanceOf(ParameterError)
    expect(error).toMatchObject({ code, status, message })
  })

  it('does not repeat a long value whole', () => {
    expect(failure({ name: 'a', bucket: 'x'.repeat(10_000) }).message.length).toBeLessThan(300)
  })
})

describe('nearest', () => {
  it('finds a slip of the pen but guesses nothing else', () => {
    expect(nearestName('audio_sumary', ['tracks', 'audio_summary'])).toBe('audio_summary')
    expect(nearestName('AudioSummary', ['audioSummary'])).toBe('audioSummary')
    expect(nearestName('colour', ['tracks', 'audio_summary'])).toBeUndefined()
  })
})
