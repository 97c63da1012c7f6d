import { expect, it } from 'vitest'
import { killedUpdates } from '../support/killed-updates.ts'

const KILLS = Number(process.env.KILLS ?? 10)

it(`kill -9 at ${KILLS} moments of an update of 20000 entries: it ends as if nothing had been`, async () => {
  const reached = await killedUpdates({ entries: 20_000, kills: KILLS })
  // They were in the middle of it indeed.
  expect(reached.filter((far) => far < 0.999).length).toBeGreaterThan(KILLS / 2)
})
