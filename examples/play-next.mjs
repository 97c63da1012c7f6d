// The core of a player: what was heard and liked, and what to play next: node examples/play-next.mjs DATABASE scan FOLDER | play FILE | skip FILE | favorite FILE | ban FILE | rate FILE 0-10 | next
import { Audile, ParameterError } from 'audile'

const REST = 12 * 60 * 60 * 1000 // milliseconds in which a track is not proposed again
const SEEDS = 20 // best liked tracks, whose neighbours are proposed

const [database, command = 'next', path, rating] = process.argv.slice(2)
const music = await Audile.open({ database })
try {
  const name = 'Listening'
  const catalog = await music.catalogs
    .get({ name })
    .catch(() => music.catalogs.create({ name, type: 'song' }))
  if (command === 'next') for (const file of await next(catalog)) console.log(file)
  else if (command !== 'scan') await listened(catalog, command, path)
  else
    for await (const { kind, file, error } of music.tracks.scan(path))
      console.error(kind, file, error?.message ?? '')
} finally {
  await music.close()
}

async function listened(catalog, action, file) {
  const { id } = await music.tracks.get({ file })
  const item = { itemId: id, trackId: id }
  if (action === 'rate') item.rating = Number(rating)
  if (action === 'play') item.itemKeyvalues = { played: new Date().toISOString() }
  const more = action === 'rate' ? [] : [{ action, item: { itemId: id } }]
  const { updateInfo = [] } = await (await catalog.update([{ item }, ...more])).done()
  for (const { info } of updateInfo) console.error(info)
}

async function next(catalog) {
  const liked = []
  const passed = new Set()
  for await (const item of catalog.items({ bucket: 'kvstore' })) {
    const { request, favorite, banned, rating = 5, playCount = 0, skipCount = 0, kvstore } = item
    const liking = (favorite ? 3 : 0) + rating - 5 + Math.log2((1 + playCount) / (1 + skipCount))
    if (liking > 0 && !banned) liked.push({ id: request.itemId, liking })
    const isRecent = Date.now() - Date.parse(kvstore?.played) < REST
    if (liking < 0 || banned || isRecent) passed.add(request.itemId)
  }
  const proposals = new Map()
  for (const { id, liking } of liked.sort((a, b) => b.liking - a.liking).slice(0, SEEDS)) {
    const alike = await music.tracks.similar(id, { results: 25 }).catch((error) => {
      if (error instanceof ParameterError) return [] // it was removed, or is not analysed yet
      throw error
    })
    for (const track of alike) {
      const { score = 0 } = proposals.get(track.id) ?? {}
      proposals.set(track.id, { track, score: score + liking * track.answer.similarity })
    }
  }
  const best = [...proposals.values()].sort((a, b) => b.score - a.score).map(({ track }) => track)
  const any = await music.tracks.list({ missing: false, results: 100 }) // before anything is liked
  return (best.length > 0 ? best : any.tracks)
    .filter(({ id }) => !passed.has(id))
    .flatMap(({ files }) => files.find(({ present }) => present)?.path ?? [])
    .slice(0, 10)
}
