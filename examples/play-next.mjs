// What to play next: node examples/play-next.mjs DATABASE scan FOLDER | play FILE | skip FILE | favorite FILE | ban FILE | rate FILE 0-10 | next
import { Audile } from 'audile'

const [database, command = 'next', path, rating] = process.argv.slice(2)
const music = await Audile.open({ database })
const name = 'Listening'
const catalog = await music.catalogs
  .get({ name })
  .catch(() => music.catalogs.create({ name, type: 'song' }))

if (command === 'scan') {
  for await (const { kind, file } of music.tracks.scan(path)) console.error(kind, file)
} else if (command === 'next') {
  const { total } = await catalog.profile()
  const seeds = total > 0 ? catalog : [] // its best liked items; on the first day, anything
  const mix = await music.mixes.create({ seeds, avoid: { catalog, playedHours: 12 }, length: 10 })
  for await (const { track } of mix) console.log(track.files[0]?.path)
} else {
  const { id } = await music.tracks.get({ file: path })
  const said = rating
    ? { item: { itemId: id, rating: Number(rating) } }
    : { action: command, item: { itemId: id } }
  const ticket = await catalog.update([{ item: { itemId: id, trackId: id } }, said])
  for (const { info } of (await ticket.done()).updateInfo ?? []) console.error(info)
}
await music.close()
