import { type GridAnchor, MAX_ANCHORS } from '../analysis/correction/grid-anchors.ts'
import { freeCueNumber, MAX_CUE_NUMBER, type OwnCue } from '../analysis/cues/own-cues.ts'
import type { TrackRecord } from '../client/tracks.ts'
import { known } from '../values/known.ts'
import { parseKey } from '../values/music-key.ts'
import { decodeEscaped, LONGEST_NAME, quoted, shortened } from '../values/text.ts'
import { type CatalogItem, entryOf, itemIdOf, locationKey } from './catalog-entry.ts'
import { text } from './cleaning.ts'
import type { ImportRun, SkippingOptions } from './import-run.ts'
import type { ImportInput } from './input.ts'

/** Options of the importers of DJ programs. */
export interface CollectionImportOptions extends SkippingOptions {
  /** The name of a playlist (`Folder/Name`): only its tracks, in its order. */
  playlist?: string | undefined
  /** Whether keys become corrections. Default false: most are the program's own guesses. */
  keys?: boolean | undefined
}

/** A track of a DJ program's collection. `catalog.update` takes `item`, `tracks.import` takes `track`. */
export interface CollectionEntry {
  /**
   * Names, play count, rating, and in `itemKeyvalues` what else was noted: `comment`, `colour`, `playlists`
   * (a list as JSON) and others.
   */
  item: CatalogItem & { itemKeyvalues?: Record<string, string> | undefined }
  /** The path of the file, the grid as a correction, and cues and loops. */
  track: TrackRecord & { file: string; cues: OwnCue[] }
  /** The playlists that have it, with their folders: `Folder/Name`. */
  playlists: string[]
}

/** A cue as a program stores it. */
interface CollectedCue {
  /** The number of its pad from 0; -1 for one without. */
  pad: number
  time: number
  end?: number | undefined
  name?: string | undefined
  colour?: string | undefined
}

/** A track as a program stores it: texts are not trimmed, numbers may be none. */
export interface CollectedTrack {
  path: string | undefined
  title?: unknown
  artist?: unknown
  release?: unknown
  genre?: unknown
  trackNumber?: unknown
  discNumber?: unknown
  playCount?: unknown
  /** 0…5; 0 is none. */
  stars?: number | undefined
  key?: string | undefined
  timeSignature?: number | undefined
  grid: GridAnchor[]
  cues: CollectedCue[]
  /** What else someone noted. */
  notes: Readonly<Record<string, string | undefined>>
}

/** More than any track has: what is read of one track stays small. */
export const MAX_COLLECTED = MAX_ANCHORS + 1

/** Makes the entries of one import, and counts what it leaves out. */
export class CollectionReader {
  readonly #input: ImportInput
  readonly #run: ImportRun
  readonly #keys: boolean
  readonly #seen = new Set<string>()

  constructor(input: ImportInput, run: ImportRun, { keys = false }: CollectionImportOptions) {
    this.#input = input
    this.#run = run
    this.#keys = keys
  }

  /** @returns `undefined` for a track that is left out */
  entryOf(track: CollectedTrack, playlists: readonly string[]): CollectionEntry | undefined {
    const { path, notes, stars = 0 } = track
    if (path === undefined || path.trim() === '') return this.leaveOut('a track has no file')
    const itemId = itemIdOf(locationKey(path))
    if (this.#seen.has(itemId)) return this.leaveOut('a track is in the collection already')
    this.#seen.add(itemId)
    this.#run.countRead()
    const { item } = entryOf({
      itemId,
      songName: track.title,
      artistName: track.artist,
      release: track.release,
      genre: track.genre,
      trackNumber: track.trackNumber,
      discNumber: track.discNumber,
      playCount: track.playCount,
      rating: stars > 0 && stars <= 5 ? Math.round(2 * stars) : undefined,
      url: path,
    })
    const listed = playlists.length > 0 ? JSON.stringify(playlists) : undefined
    const itemKeyvalues = known({ ...mapped(notes, text), playlists: listed })
    const corrections = { ...this.#gridOf(track), ...this.#keyOf(track) }
    return {
      item: { ...item, ...(Object.keys(itemKeyvalues).length > 0 && { itemKeyvalues }) },
      track: {
        file: path,
        ...(Object.keys(corrections).length > 0 && { corrections }),
        cues: this.#cuesOf(track),
      },
      playlists: [...playlists],
    }
  }

  leaveOut(reason: string): undefined {
    this.#run.leaveOut(this.#input, reason)
  }

  #keyOf({ key }: CollectedTrack): { key?: number; mode?: number } {
    if (key === undefined || key.trim() === '') return {}
    if (!this.#keys) this.leaveOut('a key is no correction; the option keys takes it')
    const parsed = this.#keys ? parseKey(key) : undefined
    if (this.#keys && !parsed) this.leaveOut(`a key is written as ${quoted(shortened(key))}`)
    return parsed
      ? { key: parsed.key, ...(parsed.mode !== undefined && { mode: parsed.mode }) }
      : {}
  }

  #gridOf({ grid, timeSignature }: CollectedTrack): {
    grid?: GridAnchor[]
    timeSignature?: number
  } {
    const anchors: GridAnchor[] = []
    for (const anchor of grid.slice(0, MAX_COLLECTED).sort((a, b) => a.time - b.time)) {
      const { tempo, place } = anchor
      const isTempo = tempo >= 20 && tempo <= 500
      if (!isTempo || !Number.isFinite(anchor.time)) {
        this.leaveOut('a marker of a grid has no time, or no tempo from 20 to 500')
        continue
      }
      const moved = fromBeginning(anchor)
      const time = Number(moved.time.toFixed(6))
      const last = anchors.at(-1)
      if (last && time <= last.time) {
        anchors.pop()
        if (anchor.time >= 0) this.leaveOut('a marker of a grid stands where another one does')
      }
      const isPlace = place !== undefined && place >= 1 && place <= 7
      anchors.push({ time, tempo, ...(isPlace && { place: moved.place as number }) })
    }
    if (anchors.length > MAX_ANCHORS) {
      this.leaveOut(`a grid has more than ${MAX_ANCHORS} markers`)
      return {}
    }
    if (anchors.length === 0) return {}
    // Programs write four where nobody has counted.
    const isCounted = timeSignature !== undefined && timeSignature !== 4
    const isSize = isCounted && timeSignature >= 3 && timeSignature <= 7
    if (isCounted && !isSize && timeSignature !== 2)
      this.leaveOut(`a grid counts bars of ${timeSignature} beats`)
    return { grid: anchors, ...(isSize && { timeSignature }) }
  }

  #cuesOf({ cues }: CollectedTrack): OwnCue[] {
    const own: OwnCue[] = []
    const inOrder = cues
      .slice(0, MAX_COLLECTED)
      .sort((a, b) => orderOfPad(a) - orderOfPad(b) || (a.pad < 0 ? a.time - b.time : 0))
    for (const cue of inOrder) {
      const { pad, time, end } = cue
      if (!Number.isFinite(time) || time < 0 || time > 1e6) {
        this.leaveOut('a cue has no time in the track')
        continue
      }
      const isFree =
        pad >= 0 && pad < MAX_CUE_NUMBER && !own.some(({ number }) => number === pad + 1)
      const highest = Math.max(0, ...own.map(({ number }) => number))
      const number = isFree ? pad + 1 : (freeCueNumber(own, highest + 1) ?? freeCueNumber(own))
      if (number === undefined) {
        this.leaveOut(`a track has more than ${MAX_CUE_NUMBER} cues`)
        continue
      }
      const name = text(cue.name?.slice(0, LONGEST_NAME).replaceAll(/\0|\p{Cs}/gu, ''))
      const isLoop = end !== undefined && end > time && end <= 1e6
      own.push({
        number,
        time: Number(time.toFixed(6)),
        ...(isLoop && { end: Number(end.toFixed(6)) }),
        ...(name !== undefined && { name }),
        ...(cue.colour !== undefined && { colour: cue.colour }),
      })
    }
    return own.sort((a, b) => a.number - b.number)
  }
}

function orderOfPad({ pad }: CollectedCue): number {
  return pad < 0 ? Number.MAX_SAFE_INTEGER : pad
}

/** A marker before the beginning, as many beats later as it takes. */
function fromBeginning({ time, tempo, place }: GridAnchor): GridAnchor {
  const beats = Math.max(0, Math.ceil(-time / (60 / tempo) - 1e-6))
  const moved = time + (beats * 60) / tempo
  // Bars of other lengths are counted from the markers that follow.
  return { time: Math.max(0, moved), tempo, place: place && ((place - 1 + beats) % 4) + 1 }
}

function mapped(
  texts: Readonly<Record<string, string | undefined>>,
  read: (value: unknown) => string | undefined,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, read(value)]))
}

/** The path that a `file:` URL or a path names. */
export function pathOfLocation(location: string | undefined): string | undefined {
  if (location === undefined || !/^file:/i.test(location)) return location
  const rest = location.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '')
  const path = decodeEscaped(rest) ?? rest
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

/** Red, green and blue as `#rrggbb`; `undefined` unless all are numbers from 0 to 255. */
export function colourOf(...parts: readonly unknown[]): string | undefined {
  const numbers = parts.map((part) =>
    part === undefined || part === '' ? Number.NaN : Number(part),
  )
  if (numbers.some((part) => !(part >= 0 && part <= 255))) return undefined
  return `#${numbers.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}
