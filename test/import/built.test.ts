import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'
import { writeH5 } from './h5-fixture.ts'

describe('audile/import as it is built', () => {
  // h5wasm is an ES module only; better-sqlite3 and saxes are CommonJS only.
  it.each([
    ['ES module', `const audile = await import('audile/import')`],
    [
      'CommonJS',
      `import { createRequire } from 'node:module'
       const audile = createRequire(process.cwd() + '/index.js')('audile/import')`,
    ],
  ])('loads what it reads files with, as %s', async (_, load) => {
    const folder = scratch()
    const h5 = join(folder, 'a.h5')
    const title = 'A Song'
    const song = { title, song_id: 'SOQMMHC12AB0180CB8', track_id: 'TRMMMYQ128F932D901' }
    const artist = { artist_id: 'ARYZTJS1187B98C555', artist_name: 'Somebody' }
    await writeH5(h5, [{ ...song, ...artist, duration: 1, tempo: 1, key: 1 }])
    const { stdout, stderr } = await run(
      `${load}
       import Sqlite from 'better-sqlite3'
       const [h5, db] = process.argv.slice(1).filter((arg) => arg !== '--')
       new Sqlite(db).exec("CREATE TABLE songs (title, artist_name); INSERT INTO songs VALUES ('A Song', 'X')").close()
       const { fromCsv, fromMillionSong, fromPlaylist } = audile
       const xspf = Buffer.from('<playlist><track><title>A Song</title></track></playlist>')
       const columns = { title: 'song', artistName: 'band' }
       for await (const { title } of fromMillionSong(h5)) console.log(title)
       for await (const { title } of fromMillionSong(db)) console.log(title)
       for await (const { title } of fromCsv(Buffer.from('song,band\\nA Song,X'), { columns })) console.log(title)
       for await (const { item } of fromPlaylist(xspf)) console.log(item.songName)`,
      [h5, join(folder, 'songs.db')],
    )
    expect(stderr).toBe('')
    expect(stdout).toBe(`${title}\n`.repeat(4))
  })
})
