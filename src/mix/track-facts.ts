import type { LibraryValues } from '../track/album-groups.ts'
import { unknownLibraryValue } from '../track/library-columns.ts'
import type { MusicKey } from '../values/music-key.ts'

type FactColumns = LibraryValues['columns']

/** `undefined` where it is not known. */
export function musicKeyOf(columns: FactColumns, num: number | undefined): MusicKey | undefined {
  if (num === undefined) return undefined
  const key = columns.key[num]!
  const mode = columns.mode[num]!
  const unknown = unknownLibraryValue('key')
  return key === unknown || mode === unknown ? undefined : { key, mode: mode === 1 ? 1 : 0 }
}

/** `null` where one is not known. */
export function tempoRatioOf(columns: FactColumns, previousNum: number | undefined, num: number) {
  const ratio =
    previousNum === undefined ? Number.NaN : columns.tempo[num]! / columns.tempo[previousNum]!
  return Number.isFinite(ratio) && ratio > 0 ? Number(ratio.toFixed(3)) : null
}
