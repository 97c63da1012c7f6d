import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { tempoOfBeats } from '../../../src/analysis/beats.ts'
import { ANALYSIS_RATE } from '../../../src/analysis/spectra.ts'
import { Resampler } from '../../../src/audio/resample.ts'
import { mixBlocks } from '../../../src/audio/samples.ts'
import {
  type Decoded,
  evaluateRhythm,
  type RhythmPrediction,
  type ScoreRhythm,
} from '../evaluate/rhythm.ts'
import { type Form, Network } from './network.ts'
import { findRhythm } from './rhythm.ts'

/**
 * Judges the network and the bar pointer as `npm run evaluate -- --only rhythm` does the analyser, beside
 * analyser 1.4.0.
 *
 *   npm run trial:rhythm -- [--data DIR] [--model FILE] [--shifts]
 */

const MODEL = fileURLToPath(new URL('model.json', import.meta.url))
/** The folder of shared data next to the repository's own. */
const DATA = fileURLToPath(new URL('../../../../shared', import.meta.url))
const BLOCK = 8_192
/** The time signature where there is nothing to tell it by. */
const USUAL = 4

function hear({ blocks, sampleRate }: Decoded, network: Network): RhythmPrediction {
  const resampler = new Resampler(sampleRate, ANALYSIS_RATE)
  const parts: Float32Array[] = []
  const mono = new Float32Array(BLOCK)
  for (const block of blocks)
    mixBlocks(block, mono, (length) => parts.push(resampler.push(mono, length).slice()))
  parts.push(resampler.flush().slice())
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  const found = findRhythm(samples, network)
  if (found === undefined) return { tempo: 0, time_signature: USUAL, beats: [], downbeats: [] }
  const { starts, bars, metre } = found
  return {
    tempo: tempoOfBeats(starts),
    time_signature: metre,
    beats: starts,
    downbeats: bars.slice(0, -1),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: DATA },
      model: { type: 'string', default: MODEL },
      shifts: { type: 'boolean', default: false },
    },
  })
  const data = resolve(values.data)
  const { form, weights } = JSON.parse(readFileSync(values.model, 'utf8')) as {
    form: Form
    weights: string
  }
  const network = new Network(form, weights)
  if (!existsSync(join(data, 'eval', 'score.mjs')))
    throw new Error(`There is no scorer in ${join(data, 'eval')}: name its folder by --data DIR.`)
  const scorer = pathToFileURL(join(data, 'eval', 'score.mjs')).href
  const { score } = (await import(scorer)) as { score: ScoreRhythm }
  await evaluateRhythm(data, score, {
    shifts: values.shifts,
    hear: (music) => hear(music, network),
  })
}
