import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PACKAGE } from './built.ts'

export interface Branch {
  beat: number
  twin: number
  distance: number
}
export interface Piece {
  beats: { start: number; end: number; bar: number; place: number }[]
  branches: Branch[]
  last: Branch
  threshold: number
}
export interface Step {
  beat: number
  from?: number
}

export const SCRIPT = 'examples/jukebox/jukebox.mjs'
/** A file of the example's. */
export const own = (name: string) => join(PACKAGE, 'examples/jukebox', name)
export const { branchesOf } = (await import(pathToFileURL(own('branches.mjs')).href)) as {
  branchesOf(analysis: object): Piece
}
export const { createWalk, seeded: seededWalk } = (await import(
  pathToFileURL(own('walk.mjs')).href
)) as {
  createWalk(piece: Piece, random?: () => number): { next(previous: number): Step }
  seeded(seed: number): () => number
}
