import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { SONG_COLUMNS } from '../../src/song/fact-columns.ts'
import {
  boundName,
  type Fact,
  RANGED,
  SEARCHED,
  SUMMARY_FACTS,
  toSnakeCase,
} from '../../src/song/facts.ts'
import { openInline } from '../support/open.ts'

/** Ranges that an import can state. */
const IMPORTED = RANGED.filter((name) => name !== 'voice')

describe('facts of the audio summary', () => {
  it('have columns in the tables that they name', () => {
    const db = openDatabase(':memory:')
    for (const [name, fact] of Object.entries<Fact>(SUMMARY_FACTS)) {
      const column = toSnakeCase(name as keyof typeof SUMMARY_FACTS)
      const columnsOf = (table: string) =>
        db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
      for (const table of [fact.analysis, fact.imports])
        if (table !== undefined) expect(columnsOf(table), table).toContain(column)
      if (fact.heard) expect(columnsOf('analyses')).toContain(`heard_${column}`)
    }
    db.close()
  })

  it('keep the order in which databases hold the columns of the search index', () => {
    const wide = Object.entries(SONG_COLUMNS).filter(([, type]) => type === 'f64')
    expect(wide.map(([name]) => name)).toEqual([
      'tempo',
      'duration',
      'loudness',
      'danceability',
      'energy',
      'speechiness',
      'acousticness',
      'valence',
      'timeSignature',
      'instrumentalness',
      'liveness',
      'voice',
      'hotttnesss',
    ])
    const narrow = Object.entries(SONG_COLUMNS).filter(([, type]) => type === 'u8')
    expect(narrow.map(([name]) => name)).toEqual(['key', 'mode', 'words', 'artistWords'])
    const places = SEARCHED.map((name) => SUMMARY_FACTS[name].search.place)
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('searches by facts', () => {
  const middle = {
    ...{ duration: 200, tempo: 100, timeSignature: 4, loudness: -10, energy: 0.5, valence: 0.5 },
    ...{ danceability: 0.5, speechiness: 0.5, acousticness: 0.5, instrumentalness: 0.5 },
    ...{ liveness: 0.5, key: 0, mode: 1 },
  }
  const higher = Object.fromEntries(
    Object.entries(middle).map(([name, value]) => [
      name,
      name === 'loudness' ? -5 : Number.isInteger(value) ? value + 1 : 0.75,
    ]),
  ) as typeof middle
  higher.mode = 0

  it('find and sort songs by each', async () => {
    const music = await openInline()
    await music.songs.import([
      { title: 'Middle', artistName: 'A', audioSummary: middle },
      { title: 'Higher', artistName: 'A', audioSummary: higher },
      { title: 'Unknown', artistName: 'A' },
    ])
    const titles = async (query: object) =>
      (await music.songs.search(query)).map(({ title }) => title)
    for (const fact of IMPORTED) {
      const sort = `${toSnakeCase(fact)}-desc`
      expect(await titles({ [boundName('min', fact)]: higher[fact] }), fact).toEqual(['Higher'])
      expect(await titles({ [boundName('max', fact)]: middle[fact] }), fact).toEqual(['Middle'])
      expect(await titles({ sort }), fact).toEqual(['Higher', 'Middle', 'Unknown'])
    }
  })

  it('find and sort tracks by each', async () => {
    const music = await openInline()
    const record = (title: string, { duration, timeSignature, ...facts }: typeof middle) => ({
      title,
      audioFeatures: { duration_ms: 1000 * duration, time_signature: timeSignature, ...facts },
    })
    await music.tracks.import([record('Middle', middle), record('Higher', higher)])
    const titles = async (query: object) =>
      (await music.tracks.search(query)).tracks.map(({ answer }) => answer.title)
    for (const fact of IMPORTED) {
      const [low, high] = [middle[fact], higher[fact]]
      expect(await titles({ [fact]: [high, high] }), fact).toEqual(['Higher'])
      expect(await titles({ [fact]: [low, low] }), fact).toEqual(['Middle'])
      expect(await titles({ sort: `${fact}-desc` }), fact).toEqual(['Higher', 'Middle'])
    }
  })
})
