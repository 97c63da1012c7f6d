import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnalysisDocument } from '../../../src/analysis/document.ts'
import { analyze } from '../../../src/analyzer/analyzer.ts'
import type { Samples } from '../../../src/client/audio-input.ts'
import { mp3Bytes, oggBytes } from '../../support/encode.ts'
import { record } from '../../support/figures.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { samplesOf } from '../../support/samples-of.ts'

/** Tempo of two encodings of the same audio may differ by so much of it. */
const TEMPO_TOLERANCE = 0.003
/** Confidences may move by so much with the level. */
const CONFIDENCE_TOLERANCE = 0.02
/** Samples: 576 of the encoder and 529 of the decoder. */
const LAME_DELAY = 1105
const SIX_DECIBELS = 10 ** (6 / 20)

/**
 * What must not change an analysis: another encoding of the same audio, and its level. Prints how
 * often that holds on the clips, and which rules of the document were broken.
 */
export async function evaluateRobustness(files: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-robustness-'))
  const same = { mp3: { tempo: 0, key: 0, mode: 0 }, ogg: { tempo: 0, key: 0, mode: 0 } }
  const moved = new Map<string, number>()
  const broken = new Map<string, number>()
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1)
  try {
    for (const file of files) {
      const audio = await samplesOf(file)
      const original = analyze(audio)
      for (const rule of brokenInvariants(original)) count(broken, rule)
      for (const [name, bytes] of [
        ['mp3', await mp3Bytes(audio, 320)],
        ['ogg', await oggBytes(audio, 6)],
      ] as const) {
        const path = join(folder, name)
        writeFileSync(path, bytes)
        const decoded = await samplesOf(path)
        const { track } = analyze(name === 'mp3' ? withoutDelay(decoded, audio) : decoded)
        const { tempo, key, mode } = original.track
        if (Math.abs(track.tempo - tempo) <= TEMPO_TOLERANCE * tempo) same[name].tempo++
        if (track.key === key) same[name].key++
        if (track.mode === mode) same[name].mode++
      }
      const samples = audio.samples.map((channel) => channel.map((x) => x * SIX_DECIBELS))
      for (const field of movedByLevel(original, analyze({ ...audio, samples })))
        count(moved, field)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const share = (n: number) => `${((100 * n) / files.length).toFixed(1)} %`
  console.log(`\nThe same audio in another form, ${files.length} clips`)
  for (const [name, { tempo, key, mode }] of Object.entries(same)) {
    console.log(
      `  as ${name}: tempo within 0.3 % on ${share(tempo)}, key ${share(key)}, mode ${share(mode)} (goal 97 %)`,
    )
  }
  const all = (name: 'mp3' | 'ogg') => Math.min(...Object.values(same[name]))
  record('evaluate', 'robustness', { mp3: all('mp3'), ogg: all('ogg'), clips: files.length })
  console.log(`  6 dB louder: ${listed(moved, 'moves nothing that it should not')}`)
  console.log(`  rules of the document: ${listed(broken, 'all kept')}`)
}

/**
 * This encoder writes no LAME header, by which a decoder would know how much to cut; with one, as
 * every other LAME writes it, the delay of encoder and decoder is gone and the length is the same.
 */
function withoutDelay({ samples, sampleRate }: Samples, original: Samples): Samples {
  const end = LAME_DELAY + (original.samples[0]?.length ?? 0)
  return { samples: samples.map((channel) => channel.slice(LAME_DELAY, end)), sampleRate }
}

function listed(map: Map<string, number>, none: string): string {
  const entries = [...map].map(([name, clips]) => `${name} on ${clips} clips`)
  return entries.length > 0 ? entries.join(', ') : none
}

/** The names of fields that another level must not move but did. */
function movedByLevel(quiet: AnalysisDocument, loud: AnalysisDocument): string[] {
  const moved = new Set<string>()
  const compare = (a: unknown, b: unknown, name: string): void => {
    if (name.startsWith('loudness') || name === 'energy' || name === 'sample_md5') return
    if (name.endsWith('string')) return
    if (typeof a === 'number' && typeof b === 'number') {
      const tolerance = name.endsWith('confidence')
        ? CONFIDENCE_TOLERANCE
        : 2e-3 * Math.max(1, Math.abs(a))
      if (Math.abs(a - b) > tolerance) moved.add(name)
    } else if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) moved.add(`number of ${name}`)
      // c1 of timbre is the level itself.
      const from = name === 'timbre' ? 1 : 0
      for (let i = from; i < a.length; i++) compare(a[i], b[i], name)
    } else if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
      for (const key of Object.keys(a)) {
        compare((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], key)
      }
    }
  }
  const { meta: _, ...a } = quiet
  const { meta: __, ...b } = loud
  compare(a, b, '')
  return [...moved]
}
