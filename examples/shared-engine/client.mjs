// One of the processes that ask: uploads files to an engine that another process serves, and tells how
// far each is: node examples/shared-engine/client.mjs ADDRESS KEY FILE…
import { Audile } from 'audile'

const [engine, apiKey, ...files] = process.argv.slice(2)
const music = await Audile.open({ engine, apiKey, logger: console })
const off = music.on('track', ({ id, status, progress }) => {
  if (status === 'pending') console.error(`${id} ${Math.round(100 * progress)} %`)
})
for (const file of files) {
  // The analysis goes on there, also when this process ends meanwhile.
  const { answer } = await music.tracks.upload({ file, wait: true, bucket: ['audio_summary'] })
  console.log(`${answer.status}: ${Math.round(answer.audioSummary.tempo)} BPM, ${answer.id}`)
}
off()
const { total } = await music.tracks.list({ results: 0 })
console.log(`${total} tracks there`)
await music.close() // the connection only
