// Makes a taste profile of a few songs, has it resolved, and reads it back: node examples/first-catalog.mjs [DATABASE]
import { Audile } from 'audile'

const [database = ':memory:'] = process.argv.slice(2)
const music = await Audile.open({ database })
try {
  // What names are resolved against: usually your own tracks, or open data (see audile/import).
  await music.songs.import([
    {
      title: 'Evening Rain',
      artistName: 'The Example Trio',
      audioSummary: { tempo: 84, energy: 0.3 },
    },
    {
      title: 'Sunday Market',
      artistName: 'Anna Beispiel',
      audioSummary: { tempo: 122, energy: 0.8 },
    },
  ])

  const catalog = await music.catalogs.create({ name: `Evenings ${Date.now()}`, type: 'song' })
  const ticket = await catalog.update([
    {
      item: {
        itemId: 'a',
        artistName: 'Example Trio',
        songName: 'evening rain (feat. nobody)',
        rating: 9,
      },
    },
    { item: { itemId: 'b', artistName: 'anna beispiel', songName: 'Sunday Market' } },
    { item: { itemId: 'c', artistName: 'Nobody', songName: 'Unknown', rating: 77 } }, // 77 is out of range: left out
    { action: 'play', item: { itemId: 'a' } },
  ])
  const { totalItems, updateInfo = [] } = await ticket.done()
  console.log(`${totalItems} entries, ${updateInfo.length} remarks`)
  for (const { itemId, info } of updateInfo) console.log(`  ${itemId}: ${info}`)

  for await (const item of catalog.items({ bucket: ['audio_summary'] })) {
    const { request, songId, songName, artistName, rating, playCount = 0, audioSummary } = item
    const found = songId ? `${artistName} – ${songName}` : 'not known'
    const tempo = audioSummary?.tempo ?? '?'
    console.log(
      `${request?.itemId}: ${found}, ${rating ?? 0} of 10, ${playCount} plays, ${tempo} BPM`,
    )
  }
} finally {
  await music.close()
}
