import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { SONG_COLUMNS } from '../../src/song/fact-columns.ts'
import { FACTS, type Fact, SEARCHED, snake } from '../../src/song/facts.ts'

describe('facts of the audio summary', () => {
  it('have columns in the tables that they name', () => {
    const db = openDatabase(':memory:')
    for (const [name, fact] of Object.entries<Fact>(FACTS)) {
      for (const table of [fact.analysis, fact.imports]) {
        if (table === undefined) continue
        const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all()
        expect(columns, table).toContain(snake(name as keyof typeof FACTS))
      }
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
      'hotttnesss',
    ])
    const narrow = Object.entries(SONG_COLUMNS).filter(([, type]) => type === 'u8')
    expect(narrow.map(([name]) => name)).toEqual(['key', 'mode', 'words', 'artistWords'])
    const places = SEARCHED.map((name) => FACTS[name].search.place)
    expect(new Set(places).size).toBe(places.length)
  })
})
