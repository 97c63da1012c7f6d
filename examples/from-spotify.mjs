// Takes saved answers of Spotify's interface in, and finds tracks by tempo and key: node examples/from-spotify.mjs FOLDER [DATABASE] [--tempo 120-130] [--key 8A,9A]
import { parseArgs } from 'node:util'
import { Audile, keyName } from 'audile'
import { fromSpotify } from 'audile/import'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tempo: { type: 'string' }, key: { type: 'string' } },
})
const [folder, database = ':memory:'] = positionals
if (!folder) {
  console.error(
    'usage: node examples/from-spotify.mjs FOLDER [DATABASE] [--tempo 120-130] [--key 8A,9A]',
  )
  process.exit(2)
}
const music = await Audile.open({ database })
try {
  const { imported, updated, rejected } = await music.tracks.import(fromSpotify(folder))
  console.error(`${imported} tracks imported, ${updated} known already`)
  for (const { index, info } of rejected) console.error(`record ${index}: ${info}`)
  const { tempo = '0-500', key } = values
  const query = { tempo, key: key?.split(','), sort: 'tempo-asc', bucket: 'audio_summary' }
  for await (const { answer } of music.tracks.all(query)) {
    const { tempo, key, mode, keyConfidence } = answer.audioSummary
    const name = `${answer.artist ?? 'unknown artist'} – ${answer.title ?? answer.foreignId}`
    const heard = keyConfidence === 0 ? 'no key' : keyName(key, mode)
    console.log(`${tempo.toFixed(1)} BPM, ${heard}: ${name}`)
  }
} finally {
  await music.close()
}
