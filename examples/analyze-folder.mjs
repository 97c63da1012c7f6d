// Analyses files and folders, keeps the results in a database, and identifies each again by a piece of it.
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import cliProgress from 'cli-progress'
import { generatedClip } from './generated-clip.mjs'

const KEYS = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B']
const HELP = `usage: npm start -- [--database FILE] [--ffmpeg PATH] [FILE-OR-FOLDER …]
Without a path, a clip is generated and analysed.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'audile.db' },
    ffmpeg: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

// npm runs this in the package's folder; paths are meant from where the user stands.
const here = (path) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
const database = here(values.database)
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))

const music = await Audile.open({
  database,
  ...(values.ffmpeg && { ffmpegPath: values.ffmpeg }),
})
const started = Date.now()
const rows = []
const unreadable = []
const bar = new cliProgress.SingleBar(
  {
    format: '{bar} {value}/{total} {file}',
    hideCursor: true,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: 5000,
  },
  cliProgress.Presets.rect,
)

try {
  if (positionals.length === 0) {
    console.log('No path given: analysing a generated clip.')
    await take({ ...generatedClip(), name: '(generated clip)' })
  }
  for (const path of positionals.map(here)) {
    if ((await stat(path)).isDirectory()) await takeFolder(path)
    else await take({ file: path, name: basename(path) })
  }
  report()
} catch (error) {
  bar.stop()
  if (error?.code === 'ENOENT') console.error(`There is no ${error.path}.\n${HELP}`)
  else if (interrupted.signal.aborted) console.error('Stopped. Run the same command to go on.')
  else console.error(error)
  process.exitCode = 1
} finally {
  await music.close()
}

async function take({ name, ...input }) {
  console.log(`Analysing ${name} …`)
  try {
    const track = await music.tracks.upload({ ...input, wait: true, signal: interrupted.signal })
    await add(track, name, input)
  } catch (error) {
    if (error?.code !== 'decode') throw error
    unreadable.push(`${name}: ${error.message}`) // no audio: the other paths go on
  }
}

async function takeFolder(folder) {
  bar.start(0, 0, { file: folder })
  const files = new Map()
  const onProgress = ({ file, done, total, track, error }) => {
    bar.setTotal(total)
    bar.update(done, { file: basename(file) })
    if (track) files.set(track.id, file)
    else unreadable.push(`${file}: ${error.message}`)
  }
  const signal = interrupted.signal
  for await (const track of music.tracks.uploadFolder(folder, { onProgress, signal })) {
    const file = files.get(track.id)
    await add(track, basename(file), { file })
  }
  bar.stop()
}

async function add(track, name, input) {
  const profile = await track.profile({ bucket: ['audio_summary'] })
  const heard = profile.audioSummary && (await identifyAgain(profile, input))
  rows.push({ name, heard, ...profile })
}

// Twenty seconds from the middle, decoded anew, as if they had been recorded somewhere.
async function identifyAgain({ audioSummary: { duration } }, input) {
  const length = Math.min(20, duration)
  const start = (duration - length) / 2
  const [song] = await music.songs.identify({ ...input, start, length, signal: interrupted.signal })
  if (!song) return 'not known'
  const by = song.artistName ? ` by ${song.artistName}` : ''
  return `${song.title || 'untitled'}${by}, score ${song.score}`
}

function report() {
  const table = rows.map(({ name, title, artist, status, error, heard, audioSummary: s }) => [
    [artist, title ?? name].filter(Boolean).join(' – '),
    s ? (s.tempo > 0 ? s.tempo.toFixed(1) : '–') : '',
    s ? (s.key < 0 ? '–' : `${KEYS[s.key]} ${s.mode === 1 ? 'major' : 'minor'}`) : '',
    s ? `${s.timeSignature}/4` : '',
    s ? s.loudness.toFixed(1) : '',
    s ? clock(s.duration) : '',
    heard ?? '',
    status === 'error' ? `error: ${error}` : status,
  ])
  print(['title', 'BPM', 'key', 'time', 'LUFS', 'length', 'identified as', 'status'], table)
  for (const line of unreadable) console.log(`could not be read: ${line}`)
  const audio = rows.reduce((sum, { audioSummary }) => sum + (audioSummary?.duration ?? 0), 0)
  const took = (Date.now() - started) / 1000
  console.log(
    `\n${rows.length} ${rows.length === 1 ? 'track' : 'tracks'}, ${clock(audio)} of audio in ${took.toFixed(1)} s. They are kept in ${database}.`,
  )
  console.log(`Go on with:

  import { Audile } from 'audile'
  const music = await Audile.open({ database: ${JSON.stringify(database)} })
  const { tracks } = await music.tracks.list({ sort: 'tempo-desc' })
  const { beats, segments } = await tracks[0].analysis()
  await music.close()`)
}

function print(head, table) {
  const widths = head.map((name, i) =>
    Math.min(48, Math.max(name.length, ...table.map((r) => r[i].length))),
  )
  const line = (row) =>
    row
      .map((cell, i) => {
        const last = i === row.length - 1
        const text = last || cell.length <= widths[i] ? cell : `${cell.slice(0, widths[i] - 1)}…`
        if (last) return text
        return i === 0 || i === 2 || i === 6 ? text.padEnd(widths[i]) : text.padStart(widths[i])
      })
      .join('  ')
  console.log(`${line(head)}\n${line(widths.map((w) => '─'.repeat(w)))}`)
  for (const row of table) console.log(line(row))
}

function clock(seconds) {
  const s = Math.round(seconds)
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}
