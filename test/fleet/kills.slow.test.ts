import { expect, it } from 'vitest'
import { killed } from '../programs/fleet/killed.ts'

/** A small one; npm run fleet goes on for a thousand files and forty kills. */
const FILES = 40
const KILLS = 4

it(`after ${KILLS} kills, and outages of queue and store, every track is complete once`, async () => {
  const { complete, twice, differing, left, kills } = await killed({
    ...{ files: FILES, kills: KILLS, outages: 2, refusing: 2, pause: 2, seed: 11 },
  })
  expect({ complete, twice, differing, left }).toEqual({
    ...{ complete: FILES, twice: 0, differing: 0, left: [] },
  })
  expect(kills.owner + kills.worker).toBeGreaterThan(0)
})
