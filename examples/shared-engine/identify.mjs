// Asks many references at once, files and engines that other processes serve, which song a file is:
// [SONGS_KEY=…] node examples/shared-engine/identify.mjs FILE REFERENCE…
import { Audile } from 'audile'

const [file, ...given] = process.argv.slice(2)
const apiKey = process.env.SONGS_KEY
const isFar = (reference) => /^wss?:/.test(reference)
const references = given.map((one) => (isFar(one) ? { engine: one, apiKey } : one))
const music = await Audile.open({ database: ':memory:', references, logger: console })
for (const { id, title, score, reference } of await music.songs.identify({ file })) {
  console.log(`${id} ${title} (${score}), ${reference}`)
}
await music.close()
