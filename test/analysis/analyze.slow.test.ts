import { expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { Examiner } from '../../src/analyzer/examiner.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { song } from '../support/music.ts'

it('takes 40 minutes', () => {
  const { samples, sampleRate } = song({ seconds: 30, tempo: 120, key: 9, mode: 0 })
  const once = analyze({ samples: [samples], sampleRate })
  const analyzer = new Examiner({ sampleRate, channels: 1 })
  for (let repeat = 0; repeat < 80; repeat++) analyzer.push([samples])
  const long = analyzer.finish().document
  expect(long.track.duration).toBe(2_400)
  expect(brokenInvariants(long)).toEqual([])
  expect(long.track).toMatchObject({ key: 9, mode: 0 })
  expect(long.segments.length).toBeGreaterThan(79 * once.segments.length)
})
