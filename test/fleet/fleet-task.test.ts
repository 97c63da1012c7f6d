import { describe, expect, it } from 'vitest'
import { fleetTask, parseTask, taskIdOf } from '../../src/fleet/fleet-task.ts'

const audio = { md5: 'a'.repeat(32), bytes: 10 }
const limits = {
  ...{ decodedSeconds: 100, analysisSeconds: 100, channels: 2 },
  ...{ workerMegabytes: 100, stalledSeconds: 100 },
}
const terms = { limits, ffmpeg: false }
const task = (given: object = {}, of = audio, on = terms) =>
  fleetTask('analyze', of, { path: '/a', meta: {}, ...given }, on)

describe('the id of a task', () => {
  it('is a UUID that the path, and the order of keys, do not change', () => {
    const id = taskIdOf(task({ meta: { title: 'A', artist: 'B' } }))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(taskIdOf(task({ path: '/b', meta: { artist: 'B', title: 'A' } }))).toBe(id)
  })

  it('changes with the audio, the kind, tags, corrections, and the terms of the owner', () => {
    const ids = [
      task(),
      task({}, { ...audio, md5: 'b'.repeat(32) }),
      task({ meta: { title: 'A' } }),
      task({ corrections: { key: 1 } }),
      fleetTask('fingerprint', audio, { path: '/a' }, terms),
      task({}, audio, { ...terms, ffmpeg: true }),
      ...Object.keys(limits).map((name) =>
        task({}, audio, { ...terms, limits: { ...limits, [name]: 99 } }),
      ),
    ].map(taskIdOf)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it.each([
  [undefined],
  [{ ...task(), kind: 'tags' }],
  [{ ...task(), audio: { md5: '../../etc/passwd', bytes: 1 } }],
  [{ ...task(), more: 1 }],
  [{ ...task(), limits: { ...limits, decodedSeconds: undefined } }],
])('refuses %j as a task', (value) => {
  expect(() => parseTask(value)).toThrow()
})
