import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { windowOf } from '../../../src/analysis/meyda.ts'
import { NOVELTY_BANDS, NoveltyFront, type RhythmSpectrum } from '../../../src/analysis/novelty.ts'
import { SPECTRA } from '../../../src/analysis/spectra.ts'
import {
  type SpectrumListener,
  SpectrumStream,
} from '../../../src/audio/spectra/spectrum-stream.ts'
import { samplesOf } from './pieces.ts'

/**
 * Writes what the network hears of each piece of rhythm-material.ts beside it: `ID.u8`, frames × bands.
 *
 *   npx tsx test/programs/trainers/rhythm-spectra.ts FOLDER…
 *
 * Pieces that have one are skipped: remove them when the front end changes.
 */
export function main(folders: readonly string[]): void {
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) {
      const id = name.replace(/\.json$/, '')
      const path = join(folder, `${id}.u8`)
      if (id === name || existsSync(path)) continue
      const samples = samplesOf(join(folder, `${id}.raw`))
      // Whole or not at all: a trainer may read them meanwhile.
      writeFileSync(`${path}.part`, spectrumOf(samples).levels)
      renameSync(`${path}.part`, path)
    }
}

/** What the network hears of samples at 22,050 Hz. */
function spectrumOf(samples: Float32Array): RhythmSpectrum {
  const front = new NoveltyFront()
  const window = windowOf('hanning', SPECTRA.size)
  const take: SpectrumListener = (_, [bands]) => front.push(bands!)
  const spectra = new SpectrumStream(window, SPECTRA.hop, take, [NOVELTY_BANDS])
  spectra.push(samples)
  spectra.finish()
  return front.finish().spectrum
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
