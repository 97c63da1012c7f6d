import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PACKAGE } from './built.ts'

export interface Branch {
  beat: number
  twin: number
  distance: number
}
export interface Piece {
  beats: { start: number; end: number; bar: number; place: number; colour: number[] }[]
  candidates: Branch[]
  last: Branch
  threshold: number
}
export interface Tune {
  threshold: number
  jumps: 'both' | 'back' | 'on'
  last: boolean
}
export interface Step {
  beat: number
  from?: number
}
interface Open {
  branches: Branch[]
  last?: Branch
}
interface Walk {
  retune(open: Open): void
  next(previous: number): Step | undefined
  twinsOf(beat: number): number[]
}

export const SCRIPT = 'examples/jukebox/jukebox.mjs'
/** A file of the example's. */
export const own = (name: string) => join(PACKAGE, 'examples/jukebox', name)
const imported = async <T>(name: string) => (await import(pathToFileURL(own(name)).href)) as T

export const { pieceOf, tuned, whyNone } = await imported<{
  pieceOf(analysis: object): Piece
  tuned(piece: Piece, tune: Tune): Open
  whyNone(piece: Piece, tune: Tune): string
}>('branches.mjs')
export const { songOf, songFrom } = await imported<{
  songOf(analysis: object, file: string): Piece & { title: string; tune: Tune }
  songFrom(text: string): Piece & { title: string; tune: Tune }
}>('song.mjs')
export const { createWalk, seeded: seededWalk } = await imported<{
  createWalk(beats: number, random?: () => number): Walk
  seeded(seed: number): () => number
}>('page/walk.mjs')
