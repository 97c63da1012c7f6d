// The core of a player: what was heard and liked, and what to play next: node examples/play-next.mjs DATABASE scan FOLDER | play FILE | skip FILE | favorite FILE | ban FILE | rate FILE 0-10 | next
import { Audile } from 'audile'

const [database, command = 'next', path, rating] = process.argv.slice(2)
const music = await Audile.open({ database })
try {
  const name = 'Listening'
  const catalog = await music.catalogs
    .get({ name })
    .catch(() => music.catalogs.create({ name, type: 'song' }))
  if (command === 'next') {
    const { total } = await catalog.profile()
    const seeds = total > 0 ? [catalog] : [] // its best liked items
    const mix = await music.mixes.create({ seeds, avoid: { catalog, playedHours: 12 }, length: 10 })
    for await (const { track } of mix) console.log(track.files[0]?.path)
    if (mix.ended.bound !== 'length') console.error(mix.ended.message)
  } else if (command === 'scan') {
    for await (const { kind, file, error } of music.tracks.scan(path))
      console.error(kind, file, error?.message ?? '')
  } else {
    const { id } = await music.tracks.get({ file: path })
    const item = { itemId: id, trackId: id }
    if (command === 'rate') item.rating = Number(rating)
    const more = command === 'rate' ? [] : [{ action: command, item: { itemId: id } }]
    const { updateInfo = [] } = await (await catalog.update([{ item }, ...more])).done()
    for (const { info } of updateInfo) console.error(info)
  }
} finally {
  await music.close()
}
