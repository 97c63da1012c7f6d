import type { CatalogEntry, SongRecord } from '../../../../src/index.ts'
import { encodeCodes } from '../../../../src/recognition/systems/codes.ts'
import { seeded, seedOf, whole } from '../../../support/chance.ts'

/** Songs that are there from the beginning, and how many of them have fingerprints. */
export const BASE_SONGS = 400
export const BASE_CODED = 200

/** Codes of a recording: enough to be known by, few enough to be packed in no time. */
export const CODES = 60

/**
 * A song of a reference collection, the same for the same id. Its code is of the old service's
 * system A, of which tracks of one's own have none: all such codes in the index are of imports.
 */
export function songOf(id: string, coded: boolean): SongRecord {
  const random = seeded(seedOf(id))
  return {
    id,
    title: titleOf(id),
    artistName: `Artist ${whole(random, 0, 50)}`,
    duration: whole(random, 100, 400),
    ...(coded && { fingerprints: [{ version: 3.15, code: codeOf(id) }] }),
  }
}

/** A title that no other song has, in words that a search finds. */
export function titleOf(id: string): string {
  return `Tune ${id.replaceAll(/[^a-z0-9]+/g, ' ')} of ${wordOf(id)}`
}

/** A word that is in the title of this song only. */
export function wordOf(id: string): string {
  return `w${seedOf(id).toString(36)}${seedOf(`${id}.`).toString(36)}`
}

/** The code string of a song. */
export function codeOf(id: string): string {
  const random = seeded(seedOf(`code of ${id}`))
  const symbols = Array.from({ length: CODES + 2 }, () => whole(random, 0, 1024))
  const codes = Uint32Array.from({ length: CODES }, (_, i) => {
    const [oldest = 0, middle = 0, newest = 0] = symbols.slice(i, i + 3)
    return (newest << 20) | (middle << 10) | oldest
  })
  const times = Uint32Array.from({ length: CODES }, (_, i) => 320 * i)
  return encodeCodes('enmfp', { codes, times })
}

export function baseSong(i: number): string {
  return `base-${i}`
}

/** What a catalog holds from the beginning. */
export function baseEntries(): CatalogEntry[] {
  const items = Array.from({ length: 50 }, (_, i) => ({
    item: { itemId: baseSong(i), songId: `imported:song:${baseSong(i)}`, rating: i % 11 },
  }))
  return [{ item: { itemId: COUNTER } }, ...items]
}

/** An item that updates count up: nothing of them may be lost, nothing be done twice. */
export const COUNTER = 'counter'
