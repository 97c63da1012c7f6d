// Writes tags into all files of a library, round by round, until it is killed. Run by kills.ts.
//
// argument: JSON of { database, folder, round }; `round` is the one that may have been cut short.
// Messages out: { opened }, { finished }, then { done } for each round in: { round }
import { Audile } from 'audile'

const { database, folder, round } = JSON.parse(process.argv[2])
const music = await Audile.open({ database, engine: 'inline', workers: 0 })

async function tracks() {
  const listed = []
  for await (const { id, answer, files } of music.tracks.all()) {
    listed.push({ id, paths: files.map(({ path }) => path), corrections: answer.corrections })
  }
  return listed
}

async function writeRound(number) {
  const errors = []
  const comment = `round ${String(number).padStart(5, '0')}`
  for (const { id } of await tracks()) {
    try {
      const track = await music.tracks.get(id)
      const { files } = await track.writeTags({ dryRun: false, fields: ['bpm', 'key'], comment })
      for (const { path, error } of files) if (error !== undefined) errors.push(`${path}: ${error}`)
    } catch (error) {
      errors.push(`writeTags threw ${error.message}`)
    }
  }
  return errors
}

const { ok, problems } = await music.check()
const scan = music.tracks.scan(folder)
for await (const _ of scan);
process.send({ opened: { ok, problems, sum: scan.sum, tracks: await tracks() } })
process.send({ finished: await writeRound(round) })
process.on('message', async ({ round: next }) => process.send({ done: await writeRound(next) }))
