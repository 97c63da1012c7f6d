// Makes a page that plays a file for ever: it jumps between beats that sound alike.
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import { percent } from '../report/words.mjs'
import { tuned } from './branches.mjs'
import { jukeboxPage } from './build.mjs'
import { songOf } from './song.mjs'

const HELP = `usage: node examples/jukebox/jukebox.mjs [FILE] [--out jukebox.html]
Without a FILE, the page asks for one and analyses it in the browser.`
const TYPES = {
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'jukebox.html' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) console.log(HELP)
  else if (positionals.length > 1) throw new Error(HELP)
  else await make(positionals[0] && resolve(positionals[0]), resolve(values.out))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function make(file, out) {
  const song = file && (await songFor(file))
  await writeFile(out, await jukeboxPage(song))
  console.log(`${out}: ${song ? `${facts(song)} ` : ''}Open it in a browser.`)
}

async function songFor(file) {
  const type = TYPES[extname(file).toLowerCase()]
  if (!type) {
    const known = Object.keys(TYPES).join(' ')
    throw new Error(`${basename(file)} - browsers do not play this kind of file, but ${known}`)
  }
  const song = songOf(await analysisOf(file), basename(file))
  return { ...song, audio: `data:${type};base64,${await readFile(file, 'base64')}` }
}

async function analysisOf(file) {
  const music = await Audile.open({ database: ':memory:', keepAudio: false })
  try {
    const track = await music.tracks.upload({ file })
    await track.analyzed()
    return await track.analysis()
  } finally {
    await music.close()
  }
}

function facts(song) {
  const from = new Set(tuned(song, song.tune).branches.map(({ beat }) => beat)).size
  return `${song.beats.length} beats, ${percent(from / song.beats.length)} of them with twins.`
}
