import { expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import type { Audile, Track } from '../../src/index.ts'
import { part, piece } from '../support/changed-pieces.ts'
import { joined, waveBytes } from '../support/clips.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { seeded, song } from '../support/music.ts'
import { openInline } from '../support/open.ts'

/** A loop of two seconds, over and over. */
function loop(seed: number): Samples {
  const bar = song({ seconds: 2, tempo: 120, chords: 'bell', lead: 'bell' }, seeded(seed)).samples
  const samples = new Float32Array(20 * 22_050)
  for (let i = 0; i < samples.length; i++) samples[i] = bar[i % bar.length] as number
  return { samples: [samples], sampleRate: 22_050 }
}

async function add(music: Audile, bytes: Uint8Array): Promise<Track> {
  return music.tracks.upload({ bytes, wait: true })
}

const idsOf = (tracks: readonly Track[]) => tracks.map(({ id }) => id)

it('tracks.duplicates finds every copy, whatever became of it, and nothing else', async () => {
  const music = await openInline()
  const copiesOf = (original: Samples) => [
    waveBytes(original),
    mp3Bytes(part(original, 3), 128),
    mp3Bytes(original, 64),
    oggBytes(part(original, 0, 18, 0.5), 1),
  ]
  const groups: string[][] = []
  for (const copies of [
    copiesOf(piece(1)),
    copiesOf(piece(2)).slice(0, 2),
    copiesOf(loop(3)).slice(0, 3),
  ]) {
    const tracks: Track[] = []
    for (const bytes of copies) tracks.push(await add(music, await bytes))
    expect(new Set(tracks.map(({ answer }) => answer.status))).toEqual(new Set(['complete']))
    groups.push(idsOf(tracks))
  }
  const others = [
    // The same players, tempo and key; another tune. So are pieces 1 and 2.
    piece(5),
    // Played again a little faster, in another key, on another instrument, without drums.
    piece(1, { tempo: 105 }),
    piece(1, { key: 3 }),
    piece(1, { lead: 'clarinet' }),
    piece(1, { drums: false }),
    // An excerpt, an edit with its middle cut out, a medley.
    part(piece(1), 0, 10),
    joined(part(piece(1), 0, 7), part(piece(1), 13)),
    joined(part(piece(2), 0, 5), part(piece(2), 9)),
    joined(piece(1), piece(2)),
    // Another loop of the same band.
    loop(6),
  ]
  for (const other of others) await add(music, await waveBytes(other))
  const found = await music.tracks.duplicates()
  expect(found.map(({ tracks }) => idsOf(tracks))).toEqual(groups)
  expect(found[0]?.tracks[2]?.answer).toMatchObject({ status: 'complete', bitrate: 64 })
})
