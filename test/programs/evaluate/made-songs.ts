import { join } from 'node:path'
import { type Piece, piecesIn, spread } from './excerpts.ts'
import { MadeCodes } from './made-codes.ts'
import { madeLandmarks } from './made-landmarks.ts'
import {
  type Codes,
  indexedCodes,
  type Landmarks,
  OURS,
  printsOf,
  type System,
  songCodes,
} from './systems.ts'

/** Made songs are drawn from so many pieces at most. */
const MODELS = 80

/** What made songs are drawn from. */
export interface Models {
  landmarks: Landmarks[]
  echoprint: Codes[]
}

/** Fingerprints of a corpus' pieces, but for those that say little. */
export async function modelsOf(folder: string): Promise<Models> {
  const pieces: Piece[] = piecesIn(folder).filter(({ tags }) => !tags?.includes('sparse'))
  const models: Models = { landmarks: [], echoprint: [] }
  for (const { file } of spread(pieces, MODELS)) {
    const prints = await printsOf(join(folder, file), false)
    models.landmarks.push(prints.landmarks)
    models.echoprint.push(indexedCodes('echoprint', prints))
  }
  return models
}

/** Codes of so many made songs in one system; none in system A. */
export function madeSongs(system: System, models: Models, count: number): Codes[] {
  const echoprint = new MadeCodes(models.echoprint)
  return Array.from({ length: count }, (_, i) => {
    if (system === OURS) return songCodes(madeLandmarks(models.landmarks, i))
    if (system === 'echoprint') return echoprint.song(i)
    return { codes: new Uint32Array(0), times: new Uint32Array(0) }
  })
}
