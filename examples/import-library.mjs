// Takes the library of iTunes, Music or Rhythmbox into a catalog: node examples/import-library.mjs Library.xml|rhythmdb.xml [DATABASE]
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Audile } from 'audile'
import { fromITunes, fromRhythmbox } from 'audile/import'

const [file, database = ':memory:'] = process.argv.slice(2)
if (!file) {
  console.error('usage: node examples/import-library.mjs Library.xml|rhythmdb.xml [DATABASE]')
  process.exit(2)
}
const entries = basename(file).startsWith('rhythmdb') ? fromRhythmbox(file) : fromITunes(file)
const music = await Audile.open({ database })
try {
  const name = `library ${createHash('md5').update(file).digest('hex').slice(0, 8)}`
  const catalog = await music.catalogs
    .get({ name })
    .catch(() => music.catalogs.create({ name, type: 'song' }))
  const ticket = await catalog.update(entries)
  for await (const { percentComplete } of ticket.progress()) console.error(`${percentComplete} %`)
  const { itemsUpdated, updateInfo = [] } = await ticket.status()
  console.log(
    `${itemsUpdated} entries taken in, ${updateInfo.length} of them with no song that is known, or a fault`,
  )

  const page = await catalog.read({ results: 10 })
  for (const { request, rating, playCount, favorite } of page.items) {
    const { artistName = '–', songName = '–' } = request ?? {}
    const marks = [
      rating && `rated ${rating}`,
      playCount && `${playCount} plays`,
      favorite && 'favourite',
    ]
    console.log(`  ${artistName} – ${songName} ${marks.filter(Boolean).join(', ')}`)
  }
  if (page.total > page.items.length) console.log(`  … of ${page.total}`)
} finally {
  await music.close()
}
