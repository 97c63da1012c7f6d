// An application that uploads short clips, each another one, and tells its memory now and then as
// lines of JSON. Run with --expose-gc, and how many as its argument.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Audile } from 'audile'

const COUNT = Number(process.argv[2])
const STEP = Math.max(1, Math.round(COUNT / 10))
const RATE = 22_050

/** Two to three seconds of a chord and of clicks, both of the seed's own. */
function clip(seed) {
  const samples = new Float32Array(Math.round(RATE * (2 + (seed % 11) / 10)))
  const beat = RATE * (0.35 + (seed % 37) / 100)
  const step = (2 * Math.PI * (110 + (seed % 523))) / RATE
  let noise = seed
  for (let i = 0; i < samples.length; i++) {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
    const click = Math.exp(-(i % beat) / 500) * (noise / 2 ** 31)
    samples[i] = 0.1 * (Math.sin(step * i) + Math.sin(1.26 * step * i)) + 0.4 * click
  }
  return { samples: [samples], sampleRate: RATE }
}

async function tell(uploads, failed) {
  // Twice, with a turn between: what ends in another thread is let go of a turn later.
  for (let i = 0; i < 2; i++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  const megabytes = Math.round(rss / 1e6)
  console.log(JSON.stringify({ uploads, failed, megabytes, heapUsed, external }))
}

const folder = mkdtempSync(join(tmpdir(), 'audile-uploads-'))
const music = await Audile.open({ database: join(folder, 'music.db'), workers: 1 })
try {
  let failed = 0
  await tell(0, failed)
  for (let i = 1; i <= COUNT; i++) {
    const track = await music.tracks.upload({ ...clip(i), wait: true })
    if (track.answer.status !== 'complete') failed++
    if (i % STEP === 0) await tell(i, failed)
  }
} finally {
  await music.close()
  rmSync(folder, { recursive: true, force: true })
}
