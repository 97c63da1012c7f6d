// Writes a page about a track, or about all tracks of a folder: one file, no network.
import { stat, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import { libraryPage } from './library-page.mjs'
import { trackPage } from './track-page.mjs'

const HELP = `usage: node examples/report/report.mjs [--database FILE] [--out report.html] FILE | FOLDER
Without a database, nothing is kept but the page.`
/** Samples of a pixel of a waveform, at least; and the most pixels that are drawn. */
const FINEST = 256
const PIXELS = 6000

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      database: { type: 'string', default: ':memory:' },
      out: { type: 'string', default: 'report.html' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) console.log(HELP)
  else if (positionals.length !== 1) throw new Error(HELP)
  else {
    const out = resolve(values.out)
    await writeFile(out, String(await report(resolve(positionals[0]), values.database)))
    console.log(out)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function report(path, database) {
  const folder = (await stat(path)).isDirectory()
  const music = await Audile.open({ database })
  try {
    return folder ? await ofFolder(music, path) : await ofTrack(music, path)
  } finally {
    await music.close()
  }
}

async function ofTrack(music, file) {
  const track = await music.tracks.upload({ file })
  await track.analyzed()
  const { audioSummary: summary } = await track.profile({ bucket: ['audio_summary'] })
  const analysis = await track.analysis()
  const samples = analysis.track.duration * analysis.meta.sample_rate
  const samplesPerPixel = Math.max(FINEST, Math.ceil(samples / PIXELS))
  const waveform = await track.waveform({ samplesPerPixel })
  const cues = await track.cues()
  // Known where the database was opened with a sound model before.
  const { voice } = await track.sounds({ hear: 'known' }).catch(() => ({ voice: [] }))
  return trackPage({ analysis, summary, waveform, cues, voice, file: basename(file) })
}

async function ofFolder(music, folder) {
  const unread = []
  const scan = music.tracks.scan(folder)
  for await (const { kind, file, track, error } of scan) {
    if (process.stderr.isTTY) process.stderr.write(`\r${scan.done}/${scan.total} `)
    const reason = error?.message ?? track.answer.error
    if (kind !== 'missing' && reason) unread.push({ file: relative(folder, file), reason })
  }
  if (process.stderr.isTTY) process.stderr.write('\n')
  const tracks = []
  for await (const { answer } of music.tracks.all({ missing: false, bucket: 'audio_summary' })) {
    const present = answer.files.filter((file) => file.present)
    const ways = present.map(({ path }) => relative(folder, path))
    const files = ways.filter((way) => !isAbsolute(way) && !way.startsWith(`..${sep}`))
    if (files.length > 0 && answer.audioSummary) tracks.push({ ...answer, files })
  }
  const seen = new Set(tracks.map(({ id }) => id))
  const groups = (await music.tracks.duplicates())
    .map((group) => group.tracks.map(({ id }) => id).filter((id) => seen.has(id)))
    .filter((ids) => ids.length > 1)
  return libraryPage({ name: basename(folder), tracks, groups, unread })
}
