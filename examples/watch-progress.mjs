// Analyses a file and tells how far it is, by events: node examples/watch-progress.mjs [FILE]
import { Audile, DecodeError } from 'audile'
import { generatedClip } from './generated-clip.mjs'

const [file] = process.argv.slice(2)
const music = await Audile.open({ database: ':memory:' })
const off = music.on('track', ({ id, status, progress, error }) => {
  const bar = '█'.repeat(Math.round(progress * 20)).padEnd(20, '░')
  console.log(`${id} ${bar} ${status}${error ? `: ${error}` : ''}`)
})
try {
  const track = await music.tracks.upload(file ? { file } : generatedClip(30))
  // Aborting ends the waiting, not the analysis: after a restart it goes on where it was.
  await track.analyzed({ signal: AbortSignal.timeout(10 * 60_000) })
  const { bars, beats, segments } = await track.analysis()
  console.log(`${bars.length} bars, ${beats.length} beats, ${segments.length} segments`)
} catch (error) {
  if (!(error instanceof DecodeError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  off()
  await music.close()
}
