import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { CodeIndex } from '../../../src/recognition/index/code-index.ts'
import { needsPacking } from '../../../src/recognition/index/pack-job.ts'
import { RecordingStore } from '../../../src/recognition/recording-store.ts'
import { rulesOf } from '../../../src/recognition/search/rules.ts'
import type { Codes } from '../../../src/recognition/systems/codes.ts'
import { codesFromOnsets } from '../../../src/recognition/systems/echoprint.ts'
import { record } from '../../support/figures.ts'
import { addRecording, addSong, pack } from '../../support/made-recordings.ts'
import { match } from '../../support/match-rules.ts'
import { seeded } from '../../support/music.ts'
import { sized } from './sized.ts'

/** Songs added before they are packed. */
const BATCH = 2048
const QUERIES = sized(100, 3)
/** Frames a second in which onsets are counted. */
const FRAMES = 11_025 / 32

/**
 * How long an identification by an Echoprint code takes in an index of many songs, and how large
 * that is. The songs are made up: gaps between onsets are log-normal with the median (525 frames)
 * and the 90th percentile (1,210) that were measured on real music, lengths log-normal around 230 s,
 * hashed as real ones are: about 6,000 codes a song. Queries are 30 s of a song, half of the codes
 * replaced by another song's.
 */
export async function benchIdentify(sizes: readonly number[]): Promise<void> {
  console.log('\nIdentifying by a code in an index of many songs')
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
    try {
      await benchIndex(size, join(folder, 'index.db'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function benchIndex(size: number, path: string): Promise<void> {
  const db = openDatabase(path)
  const store = new RecordingStore(db)
  addSong(db)
  const began = process.cpuUsage()
  let ingesting = 0
  for (let n = 0; n < size; n++) {
    const { codes, seconds } = song(n)
    const started = performance.now()
    addRecording(store, { echoprint: codes }, { duration: seconds, fingerprintVersion: '4.12' })
    ingesting += performance.now() - started
    const isDue = n % BATCH === BATCH - 1 || n === size - 1
    if (isDue && needsPacking(store)) await pack(store)
  }
  const built = process.cpuUsage(began)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = statSync(path).size
  const index = new CodeIndex(store)
  const random = seeded(7)
  const times: number[] = []
  let right = 0
  for (let i = 0; i < QUERIES; i++) {
    const truth = Math.floor(random() * size)
    const query = excerpt(song(truth).codes, song(Math.floor(random() * size)).codes, random)
    const started = performance.now()
    const [best] = match(query, index.openLookups()('echoprint'), rulesOf('echoprint'))
    times.push(performance.now() - started)
    if (best?.song === truth + 1) right++
  }
  const cold = times.shift() as number
  times.sort((a, b) => a - b)
  const ms = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(share * times.length))] as number).toFixed(1)
  record('bench', 'identify', {
    [`${size}: p50 ms`]: Number(ms(0.5)),
    [`${size}: kB a song`]: bytes / size / 1024,
  })
  console.log(
    `  ${size.toLocaleString('en')} songs  ${(bytes / size / 1024).toFixed(1)} kB a song  one more: ${(ingesting / size).toFixed(1)} ms  built at ${(size / ((built.user + built.system) / 1e6)).toFixed(0)} songs/s of CPU  identify: first ${cold.toFixed(0)} ms, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms  right ${right} of ${QUERIES}`,
  )
  db.close()
}

/** The codes of a made-up song; the same for the same number. */
function song(n: number): { codes: Codes; seconds: number } {
  const random = seeded(n + 1)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const seconds = Math.min(900, 230 * Math.exp(0.35 * normal()))
  const onsets = Array.from({ length: 8 }, () => {
    const frames: number[] = []
    // No two onsets of a band are closer than 129 frames.
    for (let at = 0; at < seconds * FRAMES; ) {
      at += Math.max(129, Math.round(525 * Math.exp(0.6515 * normal())))
      frames.push(at)
    }
    return Uint32Array.from(frames)
  })
  return { codes: codesFromOnsets(onsets), seconds }
}

/** 30 s of a song from its middle, about half of them another song's. */
function excerpt(codes: Codes, noise: Codes, random: () => number): Codes {
  const unit = 1000 / 23
  const half = Math.max(...codes.times) / 2
  const found: [number, number][] = []
  for (const [i, time] of codes.times.entries()) {
    if (time < half || time >= half + 30 * unit) continue
    const from = random() < 0.5 ? codes : noise
    found.push([from.codes[i % from.codes.length] as number, Math.floor(time - half)])
  }
  return {
    codes: Uint32Array.from(found, ([code]) => code),
    times: Uint32Array.from(found, ([, time]) => time),
  }
}
