import { equal } from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { mp3Bytes } from '../../support/encode.ts'
import { id3Tag } from '../../support/tagged-mp3.ts'
import { tune } from '../../support/tune.ts'
import { Coverage, type Entered, functionsOf } from './coverage.ts'

// npm run walk: the source files that each operation enters.
// npm run walk -- [--src DIR] [--files TEXT]
const { values } = parseArgs({
  options: {
    /** The source, of another checkout say. */
    src: { type: 'string', default: fileURLToPath(new URL('../../../src', import.meta.url)) },
    /** Lists the files of the operations whose names have the text. */
    files: { type: 'string' },
  },
})
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'audile-walk-')))
try {
  const coverage = new Coverage(folder)
  await coverage.start(resolve(values.src))
  const rows: [string, Entered][] = []
  await walk(folder, async (name, operation) => {
    rows.push([name, await coverage.of(operation)])
  })
  console.log('| operation | files | functions | rooms |\n|---|---|---|---|')
  for (const [name, entered] of rows) {
    const rooms = new Set([...entered.keys()].map(dirname))
    console.log(`| ${name} | ${entered.size} | ${functionsOf(entered)} | ${rooms.size} |`)
  }
  for (const [name, entered] of rows) {
    if (values.files === undefined || !name.includes(values.files)) continue
    console.log(`\n${name}`)
    for (const [file, functions] of [...entered].sort()) console.log(`  ${file} ${functions}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Does each operation once. What it needs is done before, and not counted. */
async function walk(
  folder: string,
  count: (name: string, operation: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const path = pathToFileURL(join(folder, 'src/index.js')).href
  const { Audile } = (await import(path)) as typeof import('../../../src/index.ts')
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  try {
    const file = join(folder, 'tune.mp3')
    const tag = id3Tag({ TIT2: 'Night Train', TPE1: 'Max Muster', TALB: 'Rails' })
    writeFileSync(file, Buffer.concat([tag, await mp3Bytes(tune({ seed: 1, seconds: 40 }), 128)]))
    await music.songs.import([
      { title: 'Evening Rain', artistName: 'The Example Trio', audioSummary: { tempo: 84 } },
      { title: 'Sunday Market', artistName: 'Anna Beispiel', audioSummary: { tempo: 122 } },
    ])
    await count('upload with analysis', async () => {
      const track = await music.tracks.upload({ file })
      equal((await track.analyzed()).title, 'Night Train')
    })

    const excerpt = { file, start: 5, length: 30 }
    await count('identify by audio', async () => {
      equal((await music.songs.identify(excerpt))[0]?.title, 'Night Train')
    })
    const code = await music.songs.fingerprint(excerpt)
    await count('identify by code', async () => {
      equal((await music.songs.identify(code))[0]?.title, 'Night Train')
    })

    const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
    const names = {
      itemId: 'a',
      artistName: 'example trio',
      songName: 'evening rain (feat. nobody)',
    }
    await count('catalog update, item by names', async () => {
      await (await catalog.update([{ item: names }])).done()
    })
    equal((await catalog.profile()).resolved, 1)
    await count('catalog update, play', async () => {
      await (await catalog.update([{ action: 'play', item: { itemId: 'a' } }])).done()
    })
    equal((await catalog.read()).items[0]?.playCount, 1)

    let id = ''
    await count('song/search by artist and tempo', async () => {
      const [song] = await music.songs.search({ artist: 'beispiel', minTempo: 100, maxTempo: 140 })
      equal(song?.title, 'Sunday Market')
      id = song.id
    })
    await count('song/profile', async () => {
      const [song] = await music.songs.profile({ id, bucket: ['audio_summary'] })
      equal(song?.audioSummary?.tempo, 122)
    })
  } finally {
    await music.close()
  }
}
