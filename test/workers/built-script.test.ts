import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findBuiltScript } from '../../src/workers/built-script.ts'
import { scratch } from '../support/scratch.ts'

it('is the one that the option names', () => {
  const script = join(scratch(), 'moved.mjs')
  writeFileSync(script, '')
  expect(findBuiltScript('engine', script)).toBe(script)
  expect(findBuiltScript('worker', script)).toBe(script)
})

it('names the option that leads to no file', () => {
  expect(() => findBuiltScript('engine', '/no/engine.js')).toThrow(
    'enginePath names /no/engine.js, which does not exist.',
  )
  expect(() => findBuiltScript('worker', '/no/worker.js')).toThrow(/^workerPath names/)
})

it('is none where the sources run as they are', () => {
  expect(findBuiltScript('engine', undefined)).toBe(undefined)
})
