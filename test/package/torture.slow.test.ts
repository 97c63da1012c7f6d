import { expect, it } from 'vitest'
import { torture } from '../programs/torture/torture.ts'

/** Each class of faults once, and some twice. npm run torture goes on for hundreds. */
const CYCLES = 20

it(`after ${CYCLES} faults all that was answered is there, once, and all jobs end`, async () => {
  const report = await torture({ cycles: CYCLES, seed: 7 })
  expect(report.failures).toEqual([])
  expect(Object.values(report.cycles).filter((cycles) => cycles === 0)).toEqual([])
  // It was not asked of an empty database.
  expect(report.answered).toBeGreaterThan(50)
  expect(report.checked).toBeGreaterThan(report.answered)
})
