import { z } from 'zod'
import { requireCorrections } from '../analysis/correction/corrections.ts'
import { method } from '../kernel/method.ts'
import { invalidParameter } from '../values/errors.ts'
import { keyName, parseKey } from '../values/music-key.ts'
import { gridAnchor } from './correction-store.ts'
import { changeCorrections } from './corrections.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import { describeTrack, type TrackProfile } from './track-answer.ts'

const pitchClass = z.int().min(0).max(11)

/** The lowest and the highest expected tempo, in BPM. */
export const tempoRange = z.tuple([z.number(), z.number()])

const correctParameters = z.strictObject({
  ...trackReference,
  /**
   * Seconds. With `from`, `to` or both, `tempo` and `downbeat` hold for that part; `null` removes
   * what parts within it have.
   */
  from: z.number().optional(),
  /** Seconds. Absent: the end of the track. */
  to: z.number().optional(),
  /**
   * Beats per minute, 20…500, or `double` or `half` of the tempo that the analysis heard. `null`:
   * as analysed.
   */
  tempo: z.union([z.enum(['double', 'half']), z.number()]).nullish(),
  /**
   * A whole grid, in place of tempo, downbeat and their parts: beats in order, each with the tempo
   * from there on.
   */
  grid: z.array(gridAnchor).nullish(),
  /** A moment at which a bar begins, in seconds. `null`: as analysed. */
  downbeat: z.number().nullish(),
  /**
   * A pitch class, 0 = C … 11 = B, a name (`C#`, `Am`, `8A`), or what `parseKey` returns. `null`:
   * key and mode as analysed.
   */
  key: z
    .union([
      z.number(),
      z.string(),
      z.strictObject({ key: pitchClass, mode: z.literal([0, 1]).optional() }),
    ])
    .nullish(),
  /** 0 or `minor`, 1 or `major`. `null`: as analysed. */
  mode: z.union([z.literal([0, 1]), z.enum(['minor', 'major'])]).nullish(),
  /** Beats in a bar, 3…7; bars of two are written in pairs. `null`: as analysed. */
  timeSignature: z.number().nullish(),
  /**
   * The lowest and the highest expected tempo, in BPM: a hint. `tempo` has priority. `null`: none.
   */
  tempoRange: tempoRange.nullish(),
})

/** `track/correct` (ours): corrects the analysis of a track, and all its later analyses. */
export const correctTrack = method({
  name: 'track/correct',
  parameters: correctParameters,
  async run(room: TrackRoom, request, { signal }): Promise<TrackProfile> {
    const { id: reference, md5, file, ...corrections } = request
    const { from, to, grid, tempo, downbeat, timeSignature, tempoRange } = corrections
    const change = {
      from,
      to,
      grid,
      tempo,
      downbeat,
      timeSignature,
      tempoRange,
      ...parseKeyRequest(request),
    }
    requireCorrections(change)
    const { id } = findTrack(room.store, { id: reference, md5, file })
    await changeCorrections(room, id, change, signal)
    return describeTrack(room.store, findTrack(room.store, { id }), 'audio_summary')
  },
})

type KeyRequest = Pick<z.output<typeof correctParameters>, 'key' | 'mode'>

function parseKeyRequest({ key: givenKey, mode: givenMode }: KeyRequest): {
  key?: number | null | undefined
  mode?: number | null | undefined
} {
  const mode = typeof givenMode === 'string' ? (givenMode === 'major' ? 1 : 0) : givenMode
  if (givenKey === null) return { key: null, mode: mode ?? null }
  if (typeof givenKey !== 'string' && typeof givenKey !== 'object') return { key: givenKey, mode }
  const parsedKey = typeof givenKey === 'string' ? parseKey(givenKey) : givenKey
  if (!parsedKey) {
    throw invalidParameter('key', `"${givenKey}" is no key; write it as C#, Am, E minor or 8A`)
  }
  if (mode != null && parsedKey.mode !== undefined && mode !== parsedKey.mode) {
    const keyText = typeof givenKey === 'string' ? givenKey : keyName(parsedKey.key, parsedKey.mode)
    throw invalidParameter('mode', `"${givenMode}" beside the key "${keyText}"; give one of them`)
  }
  return { key: parsedKey.key, mode: parsedKey.mode ?? mode }
}
