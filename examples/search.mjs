// Finds songs by tempo, mood and style: node examples/search.mjs DATABASE [--min-tempo 100] [--max-tempo 130] [--mood calm] [--style jazz] [--artist NAME]
import { parseArgs } from 'node:util'
import { Audile } from 'audile'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'min-tempo': { type: 'string' },
    'max-tempo': { type: 'string' },
    mood: { type: 'string', multiple: true },
    style: { type: 'string', multiple: true },
    artist: { type: 'string' },
    sort: { type: 'string', default: 'tempo-asc' },
  },
})
const [database = 'audile.db'] = positionals
const { mood, style, artist, sort } = values
const music = await Audile.open({ database })
try {
  // A term may be boosted (jazz^2), asked for (+jazz) or ruled out (-smooth jazz).
  const songs = await music.songs.search({
    ...(values['min-tempo'] && { minTempo: Number(values['min-tempo']) }),
    ...(values['max-tempo'] && { maxTempo: Number(values['max-tempo']) }),
    ...(mood && { mood }),
    ...(style && { style }),
    ...(artist && { artist }),
    sort,
    bucket: ['audio_summary'],
    results: 100,
  })
  for (const { title, artistName, audioSummary } of songs) {
    const { tempo, energy } = audioSummary ?? {}
    console.log(
      `${tempo?.toFixed(1) ?? '–'} BPM, energy ${energy?.toFixed(2) ?? '–'}: ${artistName} – ${title}`,
    )
  }
  if (songs.length === 0) console.log('No song is like that.')
} finally {
  await music.close()
}
