import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Audile } from '../../src/host/audile.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { listOf } from '../support/list.ts'
import { madeSoundModel } from '../support/made-network.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const HEARD = ['instrumentalness', 'liveness', 'voice', 'speechiness'] as const

async function songFile(seed = 1, seconds = 4): Promise<string> {
  const file = join(scratch(), `song-${seed}.wav`)
  writeFileSync(file, await waveBytes(clip({ seed, seconds })))
  return file
}

/** The summary of a track once its hearing is stored. */
async function heardSummary(music: Audile, id: string) {
  const track = await music.tracks.get(id)
  for (;;) {
    const { audioSummary } = await track.profile({ bucket: ['audio_summary'] })
    if (audioSummary?.voice !== null) return audioSummary!
    await new Promise<void>((resolve) => {
      const off = music.on('job', ({ kind, state }) => {
        if (kind !== 'track/hear' || state !== 'complete') return
        off()
        resolve()
      })
    })
  }
}

describe('hearing', () => {
  it('is a job after the analysis, and gives values from 0 to 1', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const jobs: string[] = []
    music.on('job', ({ kind, state }) => void jobs.push(`${kind} ${state}`))
    const track = await music.tracks.upload({ file: await songFile(), wait: true })
    const summary = await heardSummary(music, track.id)
    for (const name of HEARD) {
      expect(summary[name]).toBeGreaterThanOrEqual(0)
      expect(summary[name]).toBeLessThanOrEqual(1)
    }
    expect(jobs.indexOf('track/hear running')).toBeGreaterThan(
      jobs.indexOf('track/analyze complete'),
    )
  })

  it('is not done without a network: values are null', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({
      file: await songFile(),
      wait: true,
      bucket: ['audio_summary'],
    })
    expect(track.answer.audioSummary).toMatchObject({
      instrumentalness: null,
      liveness: null,
      voice: null,
    })
    await expect(track.sounds()).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(/audile model add.*soundModel/),
    })
  })

  it('is done once, also after a new start, and then for tracks from before', async () => {
    const database = join(scratch(), 'music.db')
    const soundModel = madeSoundModel()
    const before = await openInline({ database })
    const first = await before.tracks.upload({ file: await songFile(1), wait: true })
    await before.close()
    const music = await openInline({ database, soundModel })
    const summary = await heardSummary(music, first.id)
    const second = await music.tracks.upload({ file: await songFile(2), wait: true })
    await heardSummary(music, second.id)
    await music.close()
    const again = await openInline({ database, soundModel })
    const jobs: string[] = []
    again.on('job', ({ kind }) => void jobs.push(kind))
    const third = await again.tracks.upload({ file: await songFile(3), wait: true })
    await heardSummary(again, third.id)
    expect(jobs.filter((kind) => kind === 'track/hear-rest')).toEqual([])
    expect(new Set(jobs.filter((kind) => kind === 'track/hear'))).toEqual(new Set(['track/hear']))
    expect(await heardSummary(again, first.id)).toEqual(summary)
  })

  it('is found by searches, and sorted by', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const track = await music.tracks.upload({ file: await songFile(), wait: true })
    const { instrumentalness, voice } = await heardSummary(music, track.id)
    const others = instrumentalness! > 0.5 ? [0, 0.5] : [0.51, 1]
    const total = async (query: object) => (await music.tracks.search(query)).total
    expect(await total({ instrumentalness: [instrumentalness!, 1] })).toBe(1)
    expect(await total({ instrumentalness: others })).toBe(0)
    expect(await total({ voice: [voice!, voice!], sort: 'voice-desc' })).toBe(1)
  })

  it('describes songs, without a word in records', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const track = await music.tracks.upload({ file: await songFile(), wait: true })
    const { instrumentalness } = await heardSummary(music, track.id)
    const { instruments } = await track.sounds()
    const word = instrumentalness! >= 0.8 ? 'instrumental' : 'vocal'
    const other = word === 'vocal' ? 'instrumental' : 'vocal'
    const described = async (description: string) =>
      (await music.songs.search({ description })).length
    expect(await described(word)).toBe(1)
    expect(await described(other)).toBe(0)
    for (const { name } of instruments) expect(await described(name)).toBe(1)
  })

  it('leaves what imports state as it is, and is no part of records', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const track = await music.tracks.upload({ file: await songFile(), wait: true })
    const heard = await heardSummary(music, track.id)
    const told = heard.instrumentalness! > 0.5 ? 0.111 : 0.888
    await music.tracks.import([{ id: track.id, audioSummary: { instrumentalness: told } }])
    const { audioSummary } = await track.profile({ bucket: ['audio_summary'] })
    expect(audioSummary?.instrumentalness).toBe(heard.instrumentalness)
    const [record] = await listOf(music.tracks.export())
    expect(record?.audioSummary).toMatchObject({ instrumentalness: told })
    expect(record?.audioSummary?.liveness).toBeUndefined()
    // A copy without a network has the imported value.
    const copy = await openInline()
    await copy.tracks.import([record!])
    const imported = await (await copy.tracks.get(track.id)).profile({ bucket: ['audio_summary'] })
    expect(imported.audioSummary).toMatchObject({ instrumentalness: told, liveness: null })
  })
})

describe('track.sounds', () => {
  it('hears all of the track, once', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const jobs: string[] = []
    music.on('job', ({ kind, state }) => void jobs.push(`${kind} ${state}`))
    const track = await music.tracks.upload({ file: await songFile(1, 9), wait: true })
    const sounds = await track.sounds()
    expect(Object.keys(sounds).sort()).toEqual(['applause', 'instruments', 'speech', 'voice'])
    for (const { start, duration, confidence } of [...sounds.voice, ...sounds.applause]) {
      expect(start + duration).toBeLessThanOrEqual(9)
      expect(confidence).toBeLessThanOrEqual(1)
    }
    expect(await track.sounds()).toEqual(sounds)
    expect(await track.sounds({ hear: 'known' })).toEqual(sounds)
    expect(jobs.filter((job) => job === 'track/hear-all running')).toHaveLength(1)
  })

  it('tells why a track cannot be heard, and tries again at the next call', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const file = await songFile(1)
    const track = await music.tracks.upload({ file, wait: true })
    await heardSummary(music, track.id)
    const { renameSync } = await import('node:fs')
    renameSync(file, `${file}.away`)
    await expect(track.sounds()).rejects.toMatchObject({
      name: 'DecodeError',
      message: expect.stringContaining('the file is gone'),
    })
    renameSync(`${file}.away`, file)
    expect((await track.sounds()).voice).toBeInstanceOf(Array)
  })

  it('is gone with its track', async () => {
    const music = await openInline({ soundModel: madeSoundModel() })
    const track = await music.tracks.upload({ file: await songFile(), wait: true })
    const heard = track.sounds()
    await music.tracks.remove(track)
    await expect(heard).rejects.toMatchObject({ code: 'unknown_identifier' })
  })
})

describe('the option soundModel', () => {
  it.each<[string, unknown, RegExp]>([
    ['a missing file', '/no/such/network.tflite', /is not there; "audile model add" fetches it/],
    ['a folder', '/', /soundModel/],
    ['an empty path', '', /soundModel/],
    ['a bad checksum', { path: 'x', sha256: 'abc' }, /SHA-256/],
  ])('refuses %s', async (_, soundModel, message) => {
    const options = { database: ':memory:', engine: 'inline', soundModel } as never
    await expect(Audile.open(options)).rejects.toThrow(message)
  })

  it('refuses another network than the known one without its checksum', async () => {
    const { path } = madeSoundModel()
    const options = { database: ':memory:', engine: 'inline', soundModel: path } as const
    await expect(Audile.open(options)).rejects.toThrow(/it is damaged, cut, or another file/)
  })
})
