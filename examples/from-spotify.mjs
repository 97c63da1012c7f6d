// Takes saved answers of Spotify's interface in, and finds tracks by tempo and key: node examples/from-spotify.mjs FOLDER [DATABASE] [--tempo 120-130] [--key 8A]
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile, keyName } from 'audile'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tempo: { type: 'string' }, key: { type: 'string' } },
})
const [folder, database = ':memory:'] = positionals
if (!folder) {
  console.error(
    'usage: node examples/from-spotify.mjs FOLDER [DATABASE] [--tempo 120-130] [--key 8A]',
  )
  process.exit(2)
}
const music = await Audile.open({ database })
try {
  const { imported, updated, rejected } = await music.tracks.import(recordsOf(folder).values())
  console.error(`${imported} tracks imported, ${updated} known already`)
  for (const { index, info } of rejected) console.error(`record ${index}: ${info}`)
  const [from, to = from] = values.tempo?.split('-').map(Number) ?? [0, 500]
  const query = { tempo: [from, to], key: values.key, sort: 'tempo-asc', bucket: 'audio_summary' }
  for await (const { answer } of music.tracks.all(query)) {
    const { tempo, key, mode } = answer.audioSummary
    const name = `${answer.artist ?? 'unknown artist'} – ${answer.title ?? answer.foreignId}`
    console.log(`${tempo.toFixed(1)} BPM, ${keyName(key, mode)}: ${name}`)
  }
} finally {
  await music.close()
}

/** By id, all that the files tell of a track: an audio-analysis has its id as the file's name. */
function recordsOf(folder) {
  const records = new Map()
  const add = (id, more) => records.set(id, { ...records.get(id), ...more })
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const answer = JSON.parse(readFileSync(join(folder, name), 'utf8')) ?? {}
    if (answer.segments) {
      const id = parse(name).name
      add(id, { analysis: answer, foreignIds: [`spotify:track:${id}`] })
    }
    const several = answer.audio_features ?? answer.tracks ?? answer
    for (const one of [several].flat().filter((one) => one?.id)) {
      if (one.danceability !== undefined) add(one.id, { audioFeatures: one })
      else if (one.artists) add(one.id, namesOf(one))
    }
  }
  return records
}

function namesOf({ name, artists, album }) {
  return { title: name, artist: artists.map(({ name }) => name).join(', '), release: album?.name }
}
