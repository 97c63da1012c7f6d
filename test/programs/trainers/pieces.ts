import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Network, type NetworkForm } from '../../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../../src/analysis/activation/network-weights.ts'
import type { Labels } from './rhythm-material.ts'

/** A piece of a folder that rhythm-material.ts, module-recordings.py or recorded-again.ts wrote. */
export interface KnownPiece {
  folder: string
  labels: Labels
}

/**
 * The pieces of folders: those of the families that rhythm-network.py holds back for a share, all for a
 * share of 1; at most `each` of a family.
 */
export function* piecesOf(
  folders: readonly string[],
  { share = 1, each = Number.POSITIVE_INFINITY }: { share?: number; each?: number } = {},
): Generator<KnownPiece> {
  const counts = new Map<string, number>()
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith('.json')) continue
      const labels = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Labels
      if (chanceOf(`s${labels.family}`) >= share) continue
      const count = (counts.get(labels.family) ?? 0) + 1
      counts.set(labels.family, count)
      if (count <= each) yield { folder, labels }
    }
}

/** A number from 0 to 1 that is always the same for a name. */
function chanceOf(name: string): number {
  return Number.parseInt(createHash('md5').update(name).digest('hex').slice(0, 8), 16) / 2 ** 32
}

/** The samples of a file `ID.raw`: 16 bits, little-endian, at 22,050 Hz. */
export function samplesOf(file: string): Float32Array {
  const raw = readFileSync(file)
  return Float32Array.from({ length: raw.length >> 1 }, (_, i) => raw.readInt16LE(2 * i) / 32_768)
}

/** What rhythm-network.py exports. */
export interface Model {
  form: NetworkForm
  weights: string
  about: {
    held: number
    trainer: string
    seed: number
    date: string
    steps: number
    seconds: number
  }
}

/** The network of a file, and what is told of it; without a file the network of the source. */
export function networkOf(file: string | undefined): { network: Network; model?: Model } {
  if (file === undefined) return { network: new Network(ACTIVATION.form, ACTIVATION.weights) }
  const model = JSON.parse(readFileSync(file, 'utf8')) as Model
  return { model, network: new Network(model.form, model.weights) }
}
