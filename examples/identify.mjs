// Tells which of your files a recording was made from: node examples/identify.mjs DATABASE RECORDING [START [LENGTH]]
import { Audile } from 'audile'

const [database, file, start, length] = process.argv.slice(2)
if (!file) {
  console.error('usage: node examples/identify.mjs DATABASE RECORDING [START [LENGTH]], in seconds')
  process.exit(2)
}
const music = await Audile.open({ database })
try {
  const excerpt = {
    ...(start && { start: Number(start) }),
    ...(length && { length: Number(length) }),
  }
  const songs = await music.songs.identify({ file, ...excerpt, bucket: 'own_tracks' })
  for (const { title, artistName, score, id, ownTracks } of songs) {
    console.log(
      `${artistName || 'unknown artist'} – ${title || 'untitled'} (${id}), score ${score}`,
    )
    for (const { path, present } of ownTracks.flatMap(({ files }) => files)) {
      console.log(`  ${path}${present ? '' : ', which is gone'}`)
    }
  }
  if (songs.length === 0) console.log('It is none of the songs in this database.')
} finally {
  await music.close()
}
