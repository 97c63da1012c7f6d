import { type GridAnchor, MAX_ANCHORS } from '../analysis/correction/grid-anchors.ts'
import { freeCueNumber, MAX_CUE_NUMBER, type OwnCue } from '../analysis/cues/own-cues.ts'
import type { TrackRecord } from '../client/tracks.ts'
import { known } from '../values/known.ts'
import { parseKey } from '../values/music-key.ts'
import { decodeEscaped, LONGEST_NAME, quoted, shortened } from '../values/text.ts'
import { type CatalogItem, catalogEntryOf, itemIdOf, locationKey } from './catalog-entry.ts'
import { cleanTextValue } from './cleaning.ts'
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
  item: CatalogItem & {
    /** What else was noted, by the program's names. */
    itemKeyvalues?: Record<string, string> | undefined
  }
  /** The path of the file, the grid as a correction, and cues and loops. */
  track: TrackRecord & {
    /** The path of the sound file. */
    file: string
    /** Hot cues and loops. */
    cues: OwnCue[]
  }
  /** The playlists that have it, with their folders: `Folder/Name`. */
  playlists: string[]
}

interface CollectedCue {
  /** From 0; -1 for none. */
  pad: number
  time: number
  end?: number | undefined
  name?: string | undefined
  colour?: string | undefined
}

/** As a program stores it: texts are not trimmed, numbers may be none. */
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

/** What is read of one track stays small. */
export const MAX_COLLECTED = MAX_ANCHORS + 1

export class CollectionReader {
  readonly #input: ImportInput
  readonly #run: ImportRun
  readonly #takesKeys: boolean
  readonly #itemIds = new Set<string>()

  constructor(input: ImportInput, run: ImportRun, { keys = false }: CollectionImportOptions) {
    this.#input = input
    this.#run = run
    this.#takesKeys = keys
  }

  /** @returns `undefined` for a track that is left out */
  collectionEntryOf(
    track: CollectedTrack,
    playlists: readonly string[],
  ): CollectionEntry | undefined {
    const { path, notes, stars = 0 } = track
    if (path === undefined || path.trim() === '') return this.leaveOut('a track has no file')
    const itemId = itemIdOf(locationKey(path))
    if (this.#itemIds.has(itemId)) return this.leaveOut('a track is in the collection already')
    this.#itemIds.add(itemId)
    this.#run.countRead()
    const { item } = catalogEntryOf({
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
    const playlistList = playlists.length > 0 ? JSON.stringify(playlists) : undefined
    const itemKeyvalues = known({ ...mapTexts(notes, cleanTextValue), playlists: playlistList })
    const corrections = { ...this.#correctedGridOf(track), ...this.#correctedKeyOf(track) }
    return {
      item: { ...item, ...(Object.keys(itemKeyvalues).length > 0 && { itemKeyvalues }) },
      track: {
        file: path,
        ...(Object.keys(corrections).length > 0 && { corrections }),
        cues: this.#ownCuesOf(track),
      },
      playlists: [...playlists],
    }
  }

  leaveOut(reason: string): undefined {
    this.#run.leaveOut(this.#input, reason)
  }

  #correctedKeyOf({ key }: CollectedTrack): { key?: number; mode?: number } {
    if (key === undefined || key.trim() === '') return {}
    if (!this.#takesKeys) this.leaveOut('a key is no correction; the option keys takes it')
    const parsed = this.#takesKeys ? parseKey(key) : undefined
    if (this.#takesKeys && !parsed) this.leaveOut(`a key is written as ${quoted(shortened(key))}`)
    return parsed
      ? { key: parsed.key, ...(parsed.mode !== undefined && { mode: parsed.mode }) }
      : {}
  }

  #correctedGridOf({ grid, timeSignature }: CollectedTrack): {
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
      const movedAnchor = movedToBeginning(anchor)
      const time = Number(movedAnchor.time.toFixed(6))
      const lastAnchor = anchors.at(-1)
      if (lastAnchor && time <= lastAnchor.time) {
        anchors.pop()
        if (anchor.time >= 0) this.leaveOut('a marker of a grid stands where another one does')
      }
      const isPlace = place !== undefined && place >= 1 && place <= 7
      anchors.push({ time, tempo, ...(isPlace && { place: movedAnchor.place as number }) })
    }
    if (anchors.length > MAX_ANCHORS) {
      this.leaveOut(`a grid has more than ${MAX_ANCHORS} markers`)
      return {}
    }
    if (anchors.length === 0) return {}
    // Programs write four where nobody has counted.
    const isCounted = timeSignature !== undefined && timeSignature !== 4
    const isAccepted = isCounted && timeSignature >= 3 && timeSignature <= 7
    if (isCounted && !isAccepted && timeSignature !== 2)
      this.leaveOut(`a grid counts bars of ${timeSignature} beats`)
    return { grid: anchors, ...(isAccepted && { timeSignature }) }
  }

  #ownCuesOf({ cues }: CollectedTrack): OwnCue[] {
    const ownCues: OwnCue[] = []
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
        pad >= 0 && pad < MAX_CUE_NUMBER && !ownCues.some(({ number }) => number === pad + 1)
      const highest = Math.max(0, ...ownCues.map(({ number }) => number))
      const number = isFree
        ? pad + 1
        : (freeCueNumber(ownCues, highest + 1) ?? freeCueNumber(ownCues))
      if (number === undefined) {
        this.leaveOut(`a track has more than ${MAX_CUE_NUMBER} cues`)
        continue
      }
      const name = cleanTextValue(cue.name?.slice(0, LONGEST_NAME).replaceAll(/\0|\p{Cs}/gu, ''))
      const isLoop = end !== undefined && end > time && end <= 1e6
      ownCues.push({
        number,
        time: Number(time.toFixed(6)),
        ...(isLoop && { end: Number(end.toFixed(6)) }),
        ...(name !== undefined && { name }),
        ...(cue.colour !== undefined && { colour: cue.colour }),
      })
    }
    return ownCues.sort((a, b) => a.number - b.number)
  }
}

function orderOfPad({ pad }: CollectedCue): number {
  return pad < 0 ? Number.MAX_SAFE_INTEGER : pad
}

/** A marker before the beginning moves as many beats later as it takes. */
function movedToBeginning({ time, tempo, place }: GridAnchor): GridAnchor {
  const beats = Math.max(0, Math.ceil(-time / (60 / tempo) - 1e-6))
  const movedTime = time + (beats * 60) / tempo
  // Bars of other lengths are counted from the markers that follow.
  return { time: Math.max(0, movedTime), tempo, place: place && ((place - 1 + beats) % 4) + 1 }
}

function mapTexts(
  texts: Readonly<Record<string, string | undefined>>,
  clean: (value: unknown) => string | undefined,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, clean(value)]))
}

/** Of a `file:` URL or a path. */
export function pathOfLocation(location: string | undefined): string | undefined {
  if (location === undefined || !/^file:/i.test(location)) return location
  const escapedPath = location.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '')
  const path = decodeEscaped(escapedPath) ?? escapedPath
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

/** `#rrggbb`; `undefined` unless all are numbers from 0 to 255. */
export function colourOf(...parts: readonly unknown[]): string | undefined {
  const numbers = parts.map((channel) =>
    channel === undefined || channel === '' ? Number.NaN : Number(channel),
  )
  if (numbers.some((channel) => !(channel >= 0 && channel <= 255))) return undefined
  return `#${numbers.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}
