import { keyName } from '../values/music-key.ts'
import { cleanNumber } from './cleaning.ts'
import { CollectedPlaylists, rereadableInput } from './collected-playlists.ts'
import {
  type CollectedTrack,
  type CollectionEntry,
  type CollectionImportOptions,
  CollectionReader,
  MAX_COLLECTED,
} from './collected-track.ts'
import { type Imported, type ImportRun, importRecords } from './import-run.ts'
import type { ImportInput } from './input.ts'
import { starsOfRating } from './rekordbox.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/**
 * Reads a collection of Traktor (`collection.nml`, or an exported playlist; NML 15 to 20). Beat
 * grids become corrections; cues and loops own cues, those without a pad with the numbers after the
 * others. A catalog gets names, plays, ratings, comments, colours and playlists. Smart playlists
 * have no list of tracks.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is not a collection, is truncated, or has no tracks
 * @example
 * ```ts
 * import { fromTraktor } from 'audile/import'
 *
 * await music.tracks.import(fromTraktor('collection.nml')) // grids and cues of tracks that were scanned
 * const catalog = await music.catalogs.create({ name: 'Friday', type: 'song' })
 * await catalog.update(fromTraktor('collection.nml', { playlist: 'Sets/Friday' }))
 * ```
 */
export function fromTraktor(
  input: ImportInput,
  options: CollectionImportOptions = {},
): Imported<CollectionEntry> {
  return importRecords(TRAKTOR_TRAITS, input, options, (givenInput, run) =>
    entriesOfTraktor(givenInput, options, run),
  )
}

const TRAKTOR_TRAITS = {
  name: 'fromTraktor',
  reads: 'a Traktor collection',
  forms: ['markup'],
} as const

async function* entriesOfTraktor(
  givenInput: ImportInput,
  options: CollectionImportOptions,
  run: ImportRun,
): AsyncGenerator<CollectionEntry, void> {
  const input = await rereadableInput(givenInput)
  const reader = new CollectionReader(input, run, options)
  const playlists = new CollectedPlaylists(input, options.playlist)
  const visitor = traktorPlaylistVisitor(playlists, reader)
  for await (const _ of readXml<never>(input, TRAKTOR_TRAITS.reads, () => visitor));
  const tracks = readXml<NmlEntry>(input, TRAKTOR_TRAITS.reads, traktorEntryVisitor)
  async function* keyedTracks() {
    for await (const entry of tracks) {
      const { VOLUME = '', DIR = '', FILE = '' } = entry.parts.LOCATION ?? {}
      yield {
        key: `${VOLUME}${DIR}${FILE}`,
        make: (names: string[]) => reader.collectionEntryOf(collectedTraktorTrack(entry), names),
      }
    }
  }
  yield* playlists.entriesInOrder(keyedTracks(), reader)
}

/** With the elements in it, its cues and their tempi. */
interface NmlEntry {
  names: Attributes
  parts: Record<string, Attributes | undefined>
  cues: { cue: Attributes; tempo: string | undefined }[]
}

const ENTRY_PARTS = new Set(['LOCATION', 'ALBUM', 'INFO', 'TEMPO', 'MUSICAL_KEY'])

function traktorEntryVisitor(emit: (entry: NmlEntry) => void): XmlVisitor {
  let isCollection = false
  let openEntry: NmlEntry | undefined
  return {
    open(name, attributes) {
      if (name === 'COLLECTION') isCollection = true
      else if (name === 'ENTRY' && isCollection)
        openEntry = { names: attributes, parts: {}, cues: [] }
      else if (!openEntry) return
      else if (ENTRY_PARTS.has(name)) openEntry.parts[name] ??= attributes
      else if (name === 'CUE_V2' && openEntry.cues.length < MAX_COLLECTED)
        openEntry.cues.push({ cue: attributes, tempo: undefined })
      else if (name === 'GRID' && openEntry.cues.length > 0)
        openEntry.cues.at(-1)!.tempo = attributes.BPM
    },
    close(name) {
      if (name === 'COLLECTION') isCollection = false
      if (name !== 'ENTRY') return
      if (openEntry) emit(openEntry)
      openEntry = undefined
    },
  }
}

function traktorPlaylistVisitor(
  playlists: CollectedPlaylists,
  reader: CollectionReader,
): XmlVisitor {
  const nodes: string[] = []
  let isList = false
  return {
    open(name, { TYPE, NAME = '', KEY }) {
      if (name === 'NODE') {
        isList = TYPE === 'PLAYLIST'
        if (isList) playlists.beginPlaylist(nodes.slice(1), NAME)
        else if (TYPE !== 'FOLDER') reader.leaveOut('a smart playlist has no list of tracks')
        nodes.push(NAME)
      } else if (name === 'PRIMARYKEY' && isList && KEY !== undefined) {
        if (TYPE === 'TRACK' || TYPE === undefined) playlists.addTrack(KEY)
        else reader.leaveOut(`a playlist has an entry that is no track (${TYPE})`)
      }
    },
    close(name) {
      if (name !== 'NODE') return
      nodes.pop()
      isList = false
    },
  }
}

const TRAKTOR_CUE_TYPES = { grid: '4', loop: '5' } as const
const CUE_NAMES: Readonly<Record<string, string>> = { 1: 'Fade in', 2: 'Fade out', 3: 'Load' }
/** Cues that nobody has named. */
const UNNAMED_CUE = /^(?:n\.n\.|AutoGrid|Beat Marker)?$/i

/** By their numbers from 1. */
const TRACK_COLOURS = ['#ff0000', '#ff8000', '#ffff00', '#00ff00', '#0000ff', '#8000ff', '#ff00ff']

function collectedTraktorTrack({ names, parts, cues }: NmlEntry): CollectedTrack {
  const { LOCATION = {}, ALBUM = {}, INFO = {}, TEMPO = {}, MUSICAL_KEY = {} } = parts
  const secondsOf = (time: string | undefined) => (cleanNumber(time) ?? Number.NaN) / 1000
  const value = cleanNumber(MUSICAL_KEY.VALUE)
  const isKey = value !== undefined && Number.isInteger(value) && value >= 0 && value < 24
  const markers = cues.filter(({ cue }) => cue.TYPE === TRAKTOR_CUE_TYPES.grid)
  const isPad = (cue: Attributes) => (cleanNumber(cue.HOTCUE) ?? -1) >= 0
  return {
    path: pathOfTraktor(LOCATION),
    title: names.TITLE,
    artist: names.ARTIST,
    release: ALBUM.TITLE,
    genre: INFO.GENRE,
    trackNumber: ALBUM.TRACK,
    playCount: INFO.PLAYCOUNT,
    stars: starsOfRating(INFO.RANKING),
    key: isKey ? keyName(value % 12, value < 12 ? 1 : 0, 'short') : INFO.KEY,
    // Later markers stand where the tempo changes, and count bars on.
    grid: markers.map(({ cue, tempo }, i) => ({
      time: secondsOf(cue.START),
      tempo: cleanNumber(tempo ?? TEMPO.BPM) ?? Number.NaN,
      ...(i === 0 && { place: 1 }),
    })),
    cues: cues
      .filter(({ cue }) => cue.TYPE !== TRAKTOR_CUE_TYPES.grid || isPad(cue))
      .map(({ cue }) => {
        const time = secondsOf(cue.START)
        const isLoop = cue.TYPE === TRAKTOR_CUE_TYPES.loop
        const colour = /^#[0-9a-f]{6}$/i.test(cue.COLOR ?? '') ? cue.COLOR : undefined
        return {
          pad: cleanNumber(cue.HOTCUE) ?? -1,
          time,
          end: isLoop ? time + secondsOf(cue.LEN) : undefined,
          name: UNNAMED_CUE.test(cue.NAME ?? '') ? CUE_NAMES[cue.TYPE ?? ''] : cue.NAME,
          colour,
        }
      }),
    notes: {
      comment: INFO.COMMENT,
      comment2: INFO.RATING,
      colour: TRACK_COLOURS[(cleanNumber(INFO.COLOR) ?? 0) - 1],
      remixer: INFO.REMIXER,
      producer: INFO.PRODUCER,
      label: INFO.LABEL,
      mix: INFO.MIX,
      added: INFO.IMPORT_DATE,
      lastPlayed: INFO.LAST_PLAYED,
    },
  }
}

/** The first volume of macOS may have any name. */
const MACOS_ROOT_FOLDERS = new Set([
  'Users',
  'Applications',
  'Library',
  'System',
  'private',
  'Volumes',
])

/** The parts of a location begin with `/:`. */
function pathOfTraktor({ VOLUME = '', DIR = '', FILE = '' }: Attributes): string | undefined {
  if (FILE === '') return undefined
  const parts = DIR.split('/:').filter((folder) => folder !== '')
  const path = [...parts, FILE].join('/')
  if (/^[A-Za-z]:$/.test(VOLUME)) return `${VOLUME}/${path}`
  const isRoot = /^(?:Macintosh HD)?$/.test(VOLUME) || MACOS_ROOT_FOLDERS.has(parts[0] ?? '')
  return isRoot ? `/${path}` : `/Volumes/${VOLUME}/${path}`
}
