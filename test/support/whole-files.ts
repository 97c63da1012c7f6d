import { Examiner } from '../../src/analyzer/examiner.ts'
import type { Samples } from '../../src/client/audio-input.ts'
import { atOnce } from '../../src/kernel/scheduler.ts'
import { songCodes } from '../../src/recognition/systems/triplets.ts'
import {
  ECHOPRINT_SYSTEM,
  type Family,
  UNITS_PER_SECOND,
} from '../../src/recognition/systems/version.ts'
import { sortFileCodes } from '../../src/recognition/whole-files/code-alignment.ts'
import { compareFiles, type WholeFile } from '../../src/recognition/whole-files/same-recording.ts'
import { knownPiece } from './known-pieces.ts'

export const RATE = 22_050

export function fileOf({ samples, sampleRate }: Samples): WholeFile {
  const examiner = new Examiner({ sampleRate, channels: samples.length })
  examiner.push(samples)
  const { document, prints } = examiner.finish()
  const { duration } = document.track
  const at = (system: Family) => ({ perSecond: UNITS_PER_SECOND[system], duration })
  const stops: readonly number[] = ECHOPRINT_SYSTEM.stopCodes
  const { codes, times } = prints.echoprint.codes
  const kept = codes.map((_, i) => i).filter((i) => !stops.includes(codes[i]!))
  const echoprint = { codes: kept.map((i) => codes[i]!), times: kept.map((i) => times[i]!) }
  return {
    codes: {
      triplets: sortFileCodes(songCodes(prints.landmarks), at('triplets')),
      chroma: sortFileCodes(prints.chroma, at('chroma')),
      echoprint: sortFileCodes(echoprint, at('echoprint')),
    },
    duration,
    segments: async () => document.segments,
  }
}

export const compare = (file: WholeFile, other: WholeFile) =>
  compareFiles(file, other, async (steps) => atOnce(steps))
export const mono = (samples: Float32Array): Samples => ({ samples: [samples], sampleRate: RATE })
export const styled = (style: string, seed: number, bpm: number, bars: number, key = 0): Samples =>
  mono(knownPiece({ bpm, passages: [{ style, seed, bars, key, mode: 1 }] }).samples)

/** A recording without its first seconds. */
export function trimmed({ samples, sampleRate }: Samples, seconds: number): Samples {
  const from = Math.round(seconds * sampleRate)
  return { samples: samples.map((channel) => channel.slice(from)), sampleRate }
}
