// A table of a folder's music for DJs, as tab-separated values: node examples/dj-table.mjs FOLDER [--database FILE] [--double FILE]
import { isAbsolute, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile, AudileError, camelot, compatibleKeys, keyName } from 'audile'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'audile.db' }, // keeps analyses and corrections
    double: { type: 'string', multiple: true, default: [] }, // files that are twice as fast as heard
  },
})
const [folder] = positionals
if (!folder) {
  console.error('usage: node examples/dj-table.mjs FOLDER [--database FILE] [--double FILE]')
  process.exit(2)
}
const music = await Audile.open({ database: values.database })
try {
  const scan = music.tracks.scan(folder)
  for await (const { file, error } of scan) {
    console.error(`${scan.done}/${scan.total} ${error ? `${file}: ${error.message}` : file}`)
  }
  for (const file of values.double)
    await (await music.tracks.get({ file })).correct({ tempo: 'double' })
  print('BPM', 'Sure', 'Beat', 'Key', 'Sure', 'Camelot', 'Mixes with', 'Artist', 'Title', 'File')
  const query = { missing: false, sort: 'tempo-asc', bucket: 'audio_summary' }
  for await (const { answer, files } of music.tracks.all(query)) {
    const { artist = '', title = '', audioSummary } = answer
    for (const { path } of audioSummary ? files.filter(isHere) : [])
      print(...beatOf(audioSummary), ...keyOf(audioSummary), artist, title, path)
  }
} catch (error) {
  if (!(error instanceof AudileError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await music.close()
}

function isHere({ path, present }) {
  const way = relative(folder, path)
  return present && !isAbsolute(way) && !way.startsWith(`..${sep}`)
}

function beatOf({ tempo, tempoConfidence, beatsSteady }) {
  if (tempo === 0) return ['', '', 'none']
  return [tempo.toFixed(1), tempoConfidence.toFixed(2), beatsSteady ? 'steady' : 'varies']
}

function keyOf({ key, mode, keyConfidence }) {
  if (!keyConfidence) return ['', '', '', '']
  const mixes = compatibleKeys(key, mode).map((one) => camelot(one.key, one.mode))
  return [keyName(key, mode), keyConfidence.toFixed(2), camelot(key, mode), mixes.join(' ')]
}

/** Tags and names of files may hold tabs, line ends and codes that steer a terminal. */
function print(...cells) {
  console.log(cells.map((cell) => cell.replace(/\p{Cc}/gu, ' ')).join('\t'))
}
