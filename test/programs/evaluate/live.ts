import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveBeat } from '../../../src/live/beat-tracker.ts'
import { LiveRhythm } from '../../../src/live/live-rhythm.ts'
import { beatF } from '../../support/accuracy.ts'
import { record } from '../../support/figures.ts'
import { seeded } from '../../support/music.ts'
import { composedPieces } from './composed.ts'
import { plainestBeats } from './live-peer.ts'
import { clipsOf, type Decoded } from './rhythm.ts'

/** Samples of a block, as an AudioWorklet has them. */
const BLOCK = 128
/** A beat is right within so many seconds. */
const RIGHT = 0.07
/** Beats in a row that are right where music is followed. */
const ROW = 4
const QUIET_SECONDS = 600
const JOINED_SECONDS = 16

interface Heard {
  beats: LiveBeat[]
  /** When each beat is known: beats that are late count when they are announced. */
  times: number[]
  /** Of each block, in milliseconds of the processor, ascending. */
  spent: number[]
  seconds: number
}

/**
 * Prints how right the beats of streams are, all latencies counted, beside the plainest published tracker: F
 * of beats and downbeats on labelled clips, recordings and composed pieces; the time to the first right beats
 * and to those after a change of music; beats in silence, noise and speech; and what it costs.
 */
export async function evaluateLive(data: string): Promise<void> {
  const spent: number[] = []
  for (const set of ['dev', 'real']) {
    const folder = join(data, 'eval', set)
    if (!existsSync(join(folder, 'manifest.json'))) {
      console.log(`There are no labelled clips in ${folder}.`)
      continue
    }
    const rows: Record<string, number[]> = {
      F: [],
      'F below 185 BPM': [],
      downbeats: [],
      plainest: [],
      lock: [],
      ahead: [],
    }
    for await (const { label, decoded } of clipsOf(folder)) {
      if (!label.beats?.length) continue
      const music = await decoded()
      const heard = hear(music)
      spent.push(...heard.spent)
      const f = beatF(label.beats, heard.times)
      rows.F!.push(f)
      if ((label as { tempo?: number }).tempo! < 185) rows['F below 185 BPM']!.push(f)
      const downs = heard.beats.filter(({ downbeat }) => downbeat).map(({ time }) => time)
      if (label.downbeats?.length) rows.downbeats!.push(beatF(label.downbeats, downs))
      rows.plainest!.push(beatF(label.beats, plainestBeats(monoOf(music), music.sampleRate)))
      rows.lock!.push(firstRight(heard.times, label.beats, label.beats[0]!))
      rows.ahead!.push(...heard.beats.map(({ ahead }) => ahead))
    }
    const { lock, ahead, ...means } = rows
    const figures = Object.entries(means).map(([name, list]) => [name, meanOf(list)] as const)
    const all = [
      ...figures,
      ['seconds to lock, median', quantile(lock!, 0.5)] as const,
      ['share locked within 3 s', lock!.filter((time) => time <= 3).length / lock!.length] as const,
      ['seconds ahead, median', quantile(ahead!, 0.5)] as const,
      [
        'share of beats that are late',
        ahead!.filter((time) => time < 0).length / ahead!.length,
      ] as const,
    ]
    report(`${set} (${lock!.length})`, all)
  }
  reportChanges()
  reportQuiet()
  spent.sort((a, b) => a - b)
  report('cost', [
    ['ms of a block of 128, 99.9th percentile', quantile(spent, 0.999)],
    ['ms, median', quantile(spent, 0.5)],
  ])
  reportLong()
}

/** What is heard after 16 s of one piece, when another follows. */
function reportChanges(): void {
  const pieces = [...composedPieces()]
  const bars: number[] = []
  const times: number[] = []
  pieces.forEach(({ samples, sampleRate, label }, i) => {
    const next = pieces[(i + 17) % pieces.length]!
    const length = JOINED_SECONDS * sampleRate
    const at = 6 * sampleRate
    const joined = new Float32Array(2 * length)
    joined.set(samples.subarray(at, at + length))
    joined.set(next.samples.subarray(at, at + length), length)
    const beats = [label, next.label].flatMap(({ beats }, part) =>
      beats
        .filter((beat) => beat >= 6 && beat < 6 + JOINED_SECONDS)
        .map((beat) => beat - 6 + part * JOINED_SECONDS),
    )
    const heard = hear({ blocks: [[joined]], sampleRate })
    const after = heard.times.filter((time) => time >= JOINED_SECONDS)
    const followed = firstRight(after, beats, JOINED_SECONDS)
    times.push(followed)
    bars.push((followed * next.label.tempo) / 60 / next.label.beats_per_bar)
  })
  report(`changes (${bars.length})`, [
    ['seconds to follow, median', quantile(times, 0.5)],
    ['bars to follow, median', quantile(bars, 0.5)],
    ['share within two bars', bars.filter((count) => count <= 2).length / bars.length],
  ])
}

function reportQuiet(): void {
  const random = seeded(58)
  const gaussian = () => random() + random() + random() + random() - 2
  const made = (next: () => number): Decoded => ({
    blocks: [[Float32Array.from({ length: QUIET_SECONDS * 22_050 }, next)]],
    sampleRate: 22_050,
  })
  let brown = 0
  const kinds: [string, Decoded | undefined][] = [
    ['silence', made(() => 0)],
    ['a silent room', made(() => 5e-4 * gaussian())],
    ['white noise', made(() => 0.1 * gaussian())],
    ['brown noise', made(() => (brown = 0.99 * brown + 0.02 * gaussian()))],
    ['speech', speech()],
  ]
  report(
    'false beats in 10 minutes',
    kinds.flatMap(([name, sound]) => (sound ? [[name, hear(sound).beats.length] as const] : [])),
  )
}

/** Words by espeak-ng in four voices; `undefined` where it is not installed. */
function speech(): Decoded | undefined {
  const words =
    'the first of these was not what they had asked for but it came in time and nobody minded'
  const random = seeded(9)
  const list = words.split(' ')
  const parts: Float32Array[] = []
  let length = 0
  for (let i = 0; length < QUIET_SECONDS * 22_050; i++) {
    const text = Array.from({ length: 200 }, (_, word) => {
      const end = random() < 0.12 ? '. ' : random() < 0.12 ? ', ' : ' '
      return list[Math.floor((random() * 7 + word) % list.length)] + end
    }).join('')
    const voice = ['en-us', 'en-gb+f3', 'de+m3', 'es+f2'][i % 4]!
    const { stdout, error } = spawnSync('espeak-ng', ['-v', voice, '--stdout', text], {
      maxBuffer: 1e9,
    })
    if (error) return undefined
    const bytes = new Uint8Array(stdout.subarray(44, stdout.length - (stdout.length % 2)))
    const samples = Float32Array.from(new Int16Array(bytes.buffer), (value) => value / 32_768)
    parts.push(samples)
    length += samples.length
  }
  return { blocks: parts.map((part) => [part]), sampleRate: 22_050 }
}

/** An hour of one piece after the other: what it takes of the processor and of memory. */
function reportLong(): void {
  const { samples, sampleRate } = composedPieces().next().value!
  const live = new LiveRhythm({ sampleRate })
  const part = samples.subarray(0, BLOCK * Math.floor(samples.length / BLOCK))
  const blocks = Array.from({ length: part.length / BLOCK }, (_, i) => [
    part.subarray(BLOCK * i, BLOCK * (i + 1)),
  ])
  const play = (seconds: number) => {
    for (let i = 0; i < (seconds * sampleRate) / BLOCK; i++) live.push(blocks[i % blocks.length]!)
  }
  play(60)
  global.gc?.()
  const before = process.memoryUsage()
  const began = process.cpuUsage()
  play(3_600)
  const { user, system } = process.cpuUsage(began)
  global.gc?.()
  const after = process.memoryUsage()
  report('an hour', [
    ['share of a core', (user + system) / 1e6 / 3_600],
    ['MB of heap more', (after.heapUsed - before.heapUsed) / 1e6],
    ['MB of buffers more', (after.arrayBuffers - before.arrayBuffers) / 1e6],
  ])
}

function hear({ blocks, sampleRate }: Decoded): Heard {
  const heard: Heard = { beats: [], times: [], spent: [], seconds: 0 }
  const live = new LiveRhythm({ sampleRate, onBeat: (beat) => heard.beats.push(beat) })
  for (const block of blocks)
    for (let at = 0; at < block[0]!.length; at += BLOCK) {
      const part = block.map((channel) => channel.subarray(at, at + BLOCK))
      const began = performance.now()
      live.push(part)
      heard.spent.push(performance.now() - began)
    }
  heard.times = heard.beats.map(({ time, ahead }) => time - Math.min(0, ahead))
  return heard
}

/** Seconds from `start` to the first of several right beats in a row; as long as the clip where there are none. */
function firstRight(times: readonly number[], beats: readonly number[], start: number): number {
  const isRight = times.map((time) => beats.some((beat) => Math.abs(beat - time) <= RIGHT))
  const at = times.findIndex((_, i) => isRight.slice(i, i + ROW).filter(Boolean).length === ROW)
  return at < 0 ? beats.at(-1)! - start : Math.max(0, times[at]! - start)
}

function monoOf({ blocks }: Decoded): Float32Array {
  const length = blocks.reduce((sum, [first]) => sum + first!.length, 0)
  const mono = new Float32Array(length)
  let at = 0
  for (const block of blocks) {
    for (const channel of block)
      for (let i = 0; i < channel.length; i++)
        mono[at + i] = mono[at + i]! + channel[i]! / block.length
    at += block[0]!.length
  }
  return mono
}

function report(title: string, figures: readonly (readonly [string, number])[]): void {
  console.log(title)
  for (const [name, value] of figures) console.log(`  ${name.padEnd(42)}${value.toFixed(3)}`)
  record(
    'evaluate',
    'live',
    Object.fromEntries(figures.map(([name, value]) => [`${title}: ${name}`, value])),
  )
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
