import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { summarize } from '../../src/analysis/document-summary.ts'
import { hearOnce } from '../support/heard-once.ts'
import { addDrum, seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

const RATE = 22_050
const BUCKET = ['audio_summary'] as const

/** Half a minute of kick and snare; the length of each beat changes by `drift` of the one before. */
function drummed(drift: number): Float32Array {
  const samples = new Float32Array(30 * RATE)
  const random = seeded(2)
  let length = 0.5
  for (let start = 0.2, beat = 0; start < 29; start += length, beat++) {
    addDrum(samples, RATE, { start, gain: 0.6 }, beat % 2 === 0 ? 'kick' : 'snare', random)
    length *= 1 + drift
  }
  return samples
}

describe('the summary of a track', () => {
  it('has what the document says of the whole, the first downbeat and whether one tempo is enough', async () => {
    const music = await openInline()
    const summaries = []
    for (const samples of [drummed(0), drummed(0.004)]) {
      const track = await music.tracks.upload({ samples: [samples], sampleRate: RATE, wait: true })
      const { audioSummary } = await track.profile({ bucket: [...BUCKET] })
      const { track: whole, bars } = await track.analysis()
      expect(audioSummary).toMatchObject({
        tempoConfidence: whole.tempo_confidence,
        keyConfidence: whole.key_confidence,
        modeConfidence: whole.mode_confidence,
        timeSignatureConfidence: whole.time_signature_confidence,
        firstDownbeat: bars[0]?.start,
      })
      const [song] = await music.songs.profile({
        id: track.answer.songId ?? '',
        bucket: [...BUCKET],
      })
      expect(song?.audioSummary).toMatchObject({ firstDownbeat: bars[0]?.start })
      summaries.push(audioSummary)
    }
    expect(summaries.map((summary) => summary?.beatsSteady)).toEqual([true, false])
  })

  it('of silence has impressions that are null', async () => {
    const music = await openInline()
    const input = { samples: [new Float32Array(5 * RATE)], sampleRate: RATE, wait: true }
    const { answer } = await music.tracks.upload({ ...input, bucket: [...BUCKET] })
    const none = { speechiness: null, acousticness: null, valence: null }
    expect(answer.audioSummary).toMatchObject(none)
    const [song] = await music.songs.profile({ id: answer.songId ?? '', bucket: [...BUCKET] })
    expect(song?.audioSummary).toMatchObject(none)
  })

  it('has the impressions that the stored document gives, in searches too', async () => {
    const music = await openInline()
    const input = { samples: [drummed(0)], sampleRate: RATE, wait: true }
    const track = await music.tracks.upload({ ...input, bucket: [...BUCKET] })
    const { energy, danceability, speechiness, acousticness, valence } = summarize(
      await track.analysis(),
    )
    const rounded = Object.entries({
      energy,
      danceability,
      speechiness,
      acousticness,
      valence,
    }).map(([name, value]) => [name, Number(value?.toFixed(3))])
    expect(track.answer.audioSummary).toMatchObject(Object.fromEntries(rounded))
    const found = await music.songs.search({ minValence: valence! - 0.01, sort: 'valence-desc' })
    expect(found.map(({ id }) => id)).toEqual([track.answer.songId])
    expect(await music.songs.search({ minValence: valence! + 0.01 })).toEqual([])
    expect(await music.songs.search({ maxSpeechiness: speechiness! - 0.01 })).toEqual([])
    const { tracks } = await music.tracks.search({ sort: 'acousticness-asc' })
    expect(tracks.map(({ id }) => id)).toEqual([track.id])
  })

  it('leaves out the first downbeat where there is no beat', async () => {
    const music = await openInline()
    const samples = new Float32Array(3 * RATE)
    const { answer } = await music.tracks.upload({
      samples: [samples],
      sampleRate: RATE,
      wait: true,
      bucket: [...BUCKET],
    })
    expect(answer.audioSummary).toMatchObject({ tempo: 0, tempoConfidence: 0 })
    expect(answer.audioSummary).not.toHaveProperty('firstDownbeat')
    expect(answer.audioSummary).not.toHaveProperty('beatsSteady')
  })

  it('is derived anew by a correction in the library that an export went to, where nobody published the values', async () => {
    const music = await openInline()
    const input = { samples: [drummed(0)], sampleRate: RATE, wait: true, bucket: [...BUCKET] }
    const track = await music.tracks.upload(input)
    const { answer } = track
    const published = { title: 'Published', analysis: await track.analysis() }
    const database = join(scratch(), 'music.db')
    let other = await openInline({ database })
    await other.tracks.import(music.tracks.export())
    await other.tracks.import([
      { ...published, id: nativeId('TR', 1), audioSummary: { energy: 0.25 } },
    ])
    await other.close()
    const db = new Sqlite(database)
    // What was derived is spoilt, so that it is seen to be made anew; what was published is not.
    db.exec(`UPDATE analyses SET energy = iif(energy = 0.25, energy, 0.5)`)
    db.close()
    other = await openInline({ database })
    const energies = () =>
      Promise.all(
        [answer.id, nativeId('TR', 1)].map(
          async (id) =>
            (await other.tracks.profile({ id }, { bucket: [...BUCKET] })).audioSummary?.energy,
        ),
      )
    for (const id of [answer.id, nativeId('TR', 1)])
      await (await other.tracks.get(id)).correct({ key: 3 })
    expect(await energies()).toEqual([answer.audioSummary?.energy, 0.25])
  })
})
