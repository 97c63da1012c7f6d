// The host of hostile input: an application with the built package. It is told what to do in lines
// of JSON, and tells in lines what came of it.
import { createInterface } from 'node:readline'
import { Audile } from 'audile'
import { createHandler } from 'audile/wire'

/** What the network answers. */
let served = new Uint8Array(0)
const fetch = async () => new Response(served)

const music = await Audile.open({ ...JSON.parse(process.argv[2]), fetch })
const handle = createHandler(music)
const catalog = await music.catalogs.create({ name: 'Hostile', type: 'song' })

/** What is done with each kind of input; each tells what came of it. */
const DEEDS = {
  async file({ path }) {
    const track = await music.tracks.upload({ file: path, wait: true })
    await track.analyzed()
    const { meta, track: sound } = await track.analysis()
    const { duration, num_samples } = sound
    const { samplerate, title } = track.answer
    const told = meta.detailed_status === 'OK' ? undefined : meta.detailed_status
    return { duration, samplerate, samples: num_samples, told, title: title?.length }
  },
  async code({ query }) {
    return { found: (await music.songs.identify(query)).length }
  },
  async request({ path, type, body }) {
    const init = {
      method: 'POST',
      body: body.replace('{ID}', catalog.id),
      headers: { 'content-type': type },
    }
    const response = await handle(new Request(`http://host.invalid${path}`, init))
    const { status } = (await response.json()).response
    return { status: status.code, message: status.message }
  },
  async feed({ url, body }) {
    served = Buffer.from(body, 'base64')
    const { id } = await music.feeds.add({ url, artistName: 'Nora Vale' })
    const { failed } = await music.feeds.refresh({ id })
    await music.feeds.remove(id)
    return { failed: failed[0] && JSON.stringify(failed[0]) }
  },
}

let waited = 0
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  waited = Math.max(waited, now - last - 10)
  last = now
}, 10).unref()

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line)
  const started = performance.now()
  waited = 0
  const outcome = await DEEDS[task.kind](task).catch((error) => ({
    error: { name: error?.name, code: error?.code, message: String(error?.message) },
  }))
  const ms = Math.round(performance.now() - started)
  console.log(JSON.stringify({ ...outcome, ms, waited: Math.round(waited) }))
}
await music.close()
