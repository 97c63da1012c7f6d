import { afterEach, expect, it, vi } from 'vitest'
import { Scan } from '../../src/client/scan.ts'
import type { Door } from '../../src/host/door.ts'

afterEach(() => vi.restoreAllMocks())

/** A door to a folder of unchanged and new files, of which each new one takes two seconds. */
function doorOf(unchanged: number, added: number): Door {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const named = (count: number, name: string) => Array.from({ length: count }, (_, i) => name + i)
  const answers: Record<string, () => unknown> = {
    'track/scan': () => ({ scan: 1, total: unchanged + added, missing: 0 }),
    'track/scan-next': () => ({
      unchanged: named(unchanged, 'old').map((file) => ({ file, track: { id: file } })),
      failed: [],
      files: named(added, 'new'),
      more: false,
    }),
    'track/register-file': () => {
      clock += 2000
      return { kind: 'added', track: { id: 'TR', status: 'complete' } }
    },
    'track/scan-end': () => ({}),
  }
  const call = async (method: string) => answers[method]?.()
  return { call } as unknown as Door
}

it.each([0, 400])('tells the seconds left after %i files that took no time', async (unchanged) => {
  const scan = new Scan(doorOf(unchanged, 1000), 'music', {})
  const told = new Map<number, number | undefined>()
  for await (const _ of scan) told.set(scan.done - unchanged, scan.secondsLeft)
  // A twentieth of the work is done. Files are registered ahead of those that are reported.
  for (const done of [50, 200, 900]) {
    expect(told.get(done)).toBeGreaterThan((2 * (1000 - done)) / 1.5)
    expect(told.get(done)).toBeLessThan(2 * (1000 - done) * 1.34)
  }
  if (unchanged === 0) expect(told.get(4)).toBeUndefined()
  expect(told.get(1000)).toBe(0)
  expect(scan.secondsLeft).toBe(0)
})
