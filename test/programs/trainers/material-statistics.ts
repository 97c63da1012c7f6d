import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { windowOf } from '../../../src/analysis/meyda.ts'
import { Spectrum } from '../../../src/analysis/spectra.ts'
import { samplesOf } from './material-files.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/** Edges of the bands in Hz whose share of the power is told. */
const EDGES = [0, 120, 400, 1500, 4000, 8000]
/** Samples of the frames by which onsets are counted, of the spectra, and from one to the next. */
const SIZE = 512
const HOP = 256
/** An onset is a frame whose flux is a peak and exceeds so many times the mean of a second. */
const ONSET = 1.6
/** Tempi are told by so many BPM. */
const TEMPI = [0, 60, 80, 100, 120, 140, 160, 180, 400]

interface Told {
  beats?: number[]
  downbeats?: number[]
  tempo?: number
  beatsPerBar?: number
  beats_per_bar?: number
}

/**
 * Prints how a set of labelled music is made up: tempi, metres, onsets a second, crest, and the
 * balance of its bands. `folder` is what `rhythm-material.ts` writes, or a folder of clips with a
 * `manifest.json`. At most so many pieces are heard, evenly chosen.
 */
export function tellStatistics(folder: string, most: number): void {
  const pieces = piecesOf(folder)
  const step = Math.max(1, pieces.length / most)
  const heard = Array.from(
    { length: Math.min(most, pieces.length) },
    (_, i) => pieces[Math.floor(i * step)]!,
  ).flatMap(({ samples }) => {
    const x = samples()
    return x ? [soundOf(x)] : []
  })
  const tempi = pieces.flatMap(({ told }) => (told.tempo ? [told.tempo] : []))
  const metres = pieces.flatMap(({ told }) => told.beatsPerBar ?? told.beats_per_bar ?? [])
  const shares = (values: readonly number[], of: (value: number) => boolean) =>
    `${Math.round((100 * values.filter(of).length) / Math.max(1, values.length))} %`
  console.log(`${folder}: ${pieces.length} pieces, ${heard.length} heard`)
  for (let i = 1; i < TEMPI.length; i++) {
    const [low, high] = [TEMPI[i - 1]!, TEMPI[i]!]
    console.log(`  tempo ${low}-${high}: ${shares(tempi, (bpm) => bpm >= low && bpm < high)}`)
  }
  for (const metre of [2, 3, 4, 5, 6, 7])
    console.log(`  ${metre} beats a bar: ${shares(metres, (beats) => beats === metre)}`)
  const told = (name: string, of: (sound: Sounding) => number) =>
    console.log(`  ${name}: ${quartiles(heard.map(of))}`)
  told('onsets a second', ({ onsets }) => onsets)
  told('level, dB', ({ level }) => level)
  told('crest, dB', ({ crest }) => crest)
  told('range of loudness, dB', ({ range }) => range)
  EDGES.slice(1).forEach((edge, b) => {
    told(`${EDGES[b]}-${edge} Hz, dB of the power`, ({ bands }) => bands[b]!)
  })
}

function piecesOf(folder: string): { told: Told; samples(): Float32Array | undefined }[] {
  const names = readdirSync(folder).sort()
  if (names.includes('manifest.json')) {
    const clips = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as (Told & {
      file: string
    })[]
    return clips.map((told) => ({ told, samples: () => samplesOf(join(folder, told.file), 60) }))
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({
      told: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Told,
      samples: () => {
        const bytes = readFileSync(join(folder, name.replace('.json', '.raw')))
        return Float32Array.from(
          new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 1),
          (x) => x / 32768,
        )
      },
    }))
}

interface Sounding {
  onsets: number
  level: number
  crest: number
  range: number
  bands: number[]
}

function soundOf(x: Float32Array): Sounding {
  const frames = Math.max(1, Math.floor((x.length - SIZE) / HOP))
  const bins = SIZE / 2
  const bands = EDGES.slice(1).map(() => 0)
  const flux = new Float32Array(frames)
  const levels = new Float32Array(frames)
  const spectrum = new Spectrum(windowOf('hanning', SIZE))
  let before = new Float32Array(bins)
  let [sum, peak] = [0, 0]
  for (const v of x) {
    sum += v * v
    peak = Math.max(peak, Math.abs(v))
  }
  for (let f = 0; f < frames; f++) {
    const magnitudes = spectrum.of(x, f * HOP)
    const now = new Float32Array(bins)
    for (let k = 1; k < bins; k++) {
      const power = magnitudes[k]! ** 2
      now[k] = Math.log10(1 + 100 * magnitudes[k]!)
      const hertz = (k * SAMPLE_RATE) / SIZE
      const band = EDGES.findIndex((edge) => edge > hertz) - 1
      if (band >= 0) bands[band] = bands[band]! + power
      levels[f] = levels[f]! + power
      flux[f] = flux[f]! + Math.max(0, now[k]! - before[k]!)
    }
    before = now
  }
  const total = bands.reduce((a, b) => a + b, 1e-9)
  const sorted = levels.filter((power) => power > 0).sort()
  const at = (share: number) => 10 * Math.log10(sorted[Math.floor(share * sorted.length)] ?? 1)
  return {
    onsets: countOnsets(flux) / (x.length / SAMPLE_RATE),
    level: 10 * Math.log10(sum / x.length + 1e-9),
    crest: 10 * Math.log10((peak * peak) / (sum / x.length + 1e-9) + 1e-9),
    range: at(0.95) - at(0.1),
    bands: bands.map((power) => 10 * Math.log10(power / total + 1e-9)),
  }
}

function countOnsets(flux: Float32Array): number {
  const around = Math.round(SAMPLE_RATE / HOP / 2)
  let count = 0
  for (let f = 2; f < flux.length - 2; f++) {
    const near = flux.subarray(Math.max(0, f - around), f + around)
    const mean = near.reduce((a, b) => a + b, 0) / near.length
    const peak = [-2, -1, 1, 2].every((step) => flux[f]! >= flux[f + step]!)
    if (peak && flux[f]! > ONSET * mean) count++
  }
  return count
}

function quartiles(values: number[]): string {
  const sorted = values.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)
  return `${at(0.5)} (${at(0.1)} to ${at(0.9)})`
}
