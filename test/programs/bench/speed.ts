import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AnalysisStream } from '../../../src/analysis/analysis-stream.ts'
import { Examiner } from '../../../src/analyzer/examiner.ts'
import { decode } from '../../../src/audio/decode.ts'
import type { Samples } from '../../../src/client/audio-input.ts'
import { clip, waveBytes } from '../../support/clips.ts'
import { mp3Bytes, oggBytes } from '../../support/encode.ts'
import { record } from '../../support/figures.ts'
import { sized } from './sized.ts'

const SECONDS = sized(180, 4)
const REPEATS = sized(3, 1)
const require = createRequire(import.meta.url)

/**
 * Analysis speed of one core as seconds of audio per CPU second, against essentia.js's beats and
 * key (development only; its licence keeps it out of the product) and against the same frames
 * through `Meyda.extract`, all in one process.
 */
export async function benchSpeed(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  try {
    const audio = stereo(clip({ seconds: SECONDS, sampleRate: 44_100 }))
    const mono = audio.samples[0] as Float32Array
    console.log(`\nAnalysis of ${SECONDS} s of stereo at 44,100 Hz, x real time on one core`)
    const rows: [string, number][] = []
    for (const [name, path] of await encode(audio, folder)) {
      rows.push([`audile, ${name}: decoding`, await speed(() => decodeOnly(path))])
      rows.push([
        `audile, ${name}: decoding and the whole document`,
        await speed(() => analyzeFile(path)),
      ])
      rows.push([
        `audile, ${name}: the same and the fingerprints of all families`,
        await speed(() => examineFile(path)),
      ])
    }
    rows.push([
      'essentia.js 0.1.3: RhythmExtractor2013 (degara) + KeyExtractor, samples given',
      await speed(essentia(mono)),
    ])
    rows.push([
      'Meyda 5.6.3: extract, 10 features at 2048/1024, samples given',
      await speed(meyda(mono)),
    ])
    const peer = rows.at(-2)?.[1] ?? Number.NaN
    const figures = ['wav', 'mp3', 'ogg'].flatMap((format, f): [string, number][] => {
      const [decoding, document, fingerprints] = rows.slice(3 * f, 3 * f + 3).map(([, x]) => x)
      return [
        [`decoding ${format}`, decoding!],
        [`document ${format}`, document!],
        [`fingerprints ${format}`, fingerprints!],
        [`ratio ${format}`, document! / peer],
      ]
    })
    record('bench', 'speed', Object.fromEntries(figures))
    const other = rows.at(-1)?.[1] ?? Number.NaN
    for (const [name, x] of rows) {
      console.log(
        `  ${name.padEnd(78)} ${x.toFixed(0).padStart(5)}x   ${(x / peer).toFixed(2).padStart(5)} of essentia.js  ${(x / other).toFixed(2).padStart(5)} of Meyda`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The best of a few runs, as audio seconds per second of CPU: the others were disturbed. */
export async function speed(work: () => unknown, seconds = SECONDS): Promise<number> {
  await work()
  let best = 0
  for (let i = 0; i < REPEATS; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    best = Math.max(best, seconds / ((user + system) / 1e6))
  }
  return best
}

async function decodeOnly(path: string): Promise<number> {
  let frames = 0
  for await (const { channels } of decode(path)) frames += channels[0]?.length ?? 0
  return frames
}

async function analyzeFile(path: string): Promise<unknown> {
  let analyzer: AnalysisStream | undefined
  for await (const { channels, sampleRate } of decode(path)) {
    analyzer ??= new AnalysisStream({ sampleRate, channels: channels.length })
    analyzer.push(channels)
  }
  return analyzer?.finish()
}

async function examineFile(path: string): Promise<unknown> {
  let examiner: Examiner | undefined
  for await (const { channels, sampleRate } of decode(path)) {
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
  }
  return examiner?.finish()
}

function stereo({ samples, sampleRate }: Samples): Samples {
  const left = samples[0] as Float32Array
  return { samples: [left, left.map((x, i) => 0.7 * x + 0.3 * (left[i - 400] ?? 0))], sampleRate }
}

async function encode(audio: Samples, folder: string): Promise<[string, string][]> {
  const files: [string, string, Uint8Array][] = [
    ['wav', 'clip.wav', await waveBytes(audio)],
    ['mp3', 'clip.mp3', await mp3Bytes(audio, 192)],
    ['ogg vorbis', 'clip.ogg', await oggBytes(audio, 5)],
  ]
  return files.map(([name, file, bytes]) => {
    const path = join(folder, file)
    writeFileSync(path, bytes)
    return [name, path]
  })
}

interface Essentia {
  arrayToVector(samples: Float32Array): { delete(): void }
  RhythmExtractor2013(...args: unknown[]): unknown
  KeyExtractor(...args: unknown[]): unknown
}

function essentia(mono: Float32Array): () => void {
  const { Essentia, EssentiaWASM } = require('essentia.js') as {
    Essentia: new (wasm: unknown) => Essentia
    EssentiaWASM: unknown
  }
  const engine = new Essentia(EssentiaWASM)
  return () => {
    const vector = engine.arrayToVector(mono)
    engine.RhythmExtractor2013(vector, 208, 'degara', 40)
    engine.KeyExtractor(vector)
    vector.delete()
  }
}

function meyda(mono: Float32Array): () => void {
  const engine = require('meyda') as {
    bufferSize: number
    sampleRate: number
    extract(names: string[], frame: Float32Array): unknown
  }
  const features =
    'rms energy zcr spectralCentroid spectralFlatness spectralRolloff spectralSpread loudness mfcc chroma'
  const names = features.split(' ')
  return () => {
    engine.bufferSize = 2048
    engine.sampleRate = 44_100
    for (let i = 0; i + 2048 <= mono.length; i += 1024) {
      engine.extract(names, mono.subarray(i, i + 2048))
    }
  }
}
