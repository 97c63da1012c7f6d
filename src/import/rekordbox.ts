import { number } from './cleaning.ts'
import { CollectedPlaylists, rereadable } from './collected-playlists.ts'
import {
  type CollectedTrack,
  type CollectionEntry,
  type CollectionImportOptions,
  CollectionReader,
  colourOf,
  MAX_COLLECTED,
  pathOfLocation,
} from './collected-track.ts'
import { type Imported, type ImportRun, importing } from './import-run.ts'
import type { ImportInput } from './input.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/**
 * Reads a collection of Rekordbox (File, Export Collection in xml format; DJ_PLAYLISTS 1.0.0): beat
 * grids as corrections, hot cues, memory cues and loops as own cues (memory cues have the numbers after the
 * hot ones), and for a catalog names, plays, ratings, comments, colours and playlists.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is not a collection, is truncated, or has no tracks
 * @example
 * ```ts
 * import { fromRekordbox } from 'audile/import'
 *
 * await music.tracks.import(fromRekordbox('rekordbox.xml')) // grids and cues of tracks that were scanned
 * const catalog = await music.catalogs.create({ name: 'Rekordbox', type: 'song' })
 * await catalog.update(fromRekordbox('rekordbox.xml'))
 * ```
 */
export function fromRekordbox(
  input: ImportInput,
  options: CollectionImportOptions = {},
): Imported<CollectionEntry> {
  return importing(REKORDBOX, input, options, (given, run) => entriesOf(given, options, run))
}

const REKORDBOX = {
  name: 'fromRekordbox',
  reads: 'a Rekordbox collection',
  forms: ['markup'],
} as const

async function* entriesOf(
  given: ImportInput,
  options: CollectionImportOptions,
  run: ImportRun,
): AsyncGenerator<CollectionEntry, void> {
  const input = await rereadable(given)
  const playlists = new CollectedPlaylists(input, options.playlist)
  for await (const _ of readXml<never>(input, REKORDBOX.reads, () => playlistVisitor(playlists)));
  const reader = new CollectionReader(input, run, options)
  const tracks = readXml<Attributed>(input, REKORDBOX.reads, trackVisitor)
  async function* keyed() {
    for await (const attributed of tracks) {
      const { TrackID = '', Location = '' } = attributed.track
      const key = playlists.namesOf(Location).length > 0 ? Location : TrackID
      const make = (names: string[]) => reader.entryOf(collected(attributed, reader), names)
      yield { key, make }
    }
  }
  yield* playlists.entriesOf(keyed(), reader)
}

/** A track, and what stands in it. */
interface Attributed {
  track: Attributes
  tempi: Attributes[]
  marks: Attributes[]
}

function trackVisitor(emit: (track: Attributed) => void): XmlVisitor {
  let isCollection = false
  let open: Attributed | undefined
  return {
    open(name, attributes) {
      if (name === 'COLLECTION') isCollection = true
      else if (name === 'TRACK' && isCollection) open = { track: attributes, tempi: [], marks: [] }
      else if (name === 'TEMPO') addTo(open?.tempi, attributes)
      else if (name === 'POSITION_MARK') addTo(open?.marks, attributes)
    },
    close(name) {
      if (name === 'COLLECTION') isCollection = false
      if (name !== 'TRACK') return
      if (open) emit(open)
      open = undefined
    },
  }
}

function addTo(list: Attributes[] | undefined, attributes: Attributes): void {
  if (list && list.length < MAX_COLLECTED) list.push(attributes)
}

/** Nodes of type 0 are folders, the first of which is the root; others are playlists. */
function playlistVisitor(playlists: CollectedPlaylists): XmlVisitor {
  const nodes: string[] = []
  let isList = false
  return {
    open(name, { Type, Name = '', Key }) {
      if (name === 'NODE') {
        isList = Type === '1'
        if (isList) playlists.begin(nodes.slice(1), Name)
        nodes.push(Name)
      } else if (name === 'TRACK' && isList && Key !== undefined) {
        playlists.add(Key)
      }
    },
    close(name) {
      if (name !== 'NODE') return
      nodes.pop()
      isList = false
    },
  }
}

/** Types of POSITION_MARK by what they are called where they have no name. */
const MARK_NAMES: Readonly<Record<string, string>> = { 1: 'Fade in', 2: 'Fade out', 3: 'Load' }

function collected({ track, tempi, marks }: Attributed, reader: CollectionReader): CollectedTrack {
  const metre = /^(\d{1,3})\/\d{1,3}$/.exec(tempi[0]?.Metro ?? '')?.[1]
  if (tempi.some(({ Metro }) => Metro !== tempi[0]?.Metro))
    reader.leaveOut('a grid changes the beats of its bars')
  const { Rating, Colour } = track
  const rgb = /^0x([0-9a-f]{6})$/i.exec(Colour ?? '')?.[1]
  return {
    path: pathOfLocation(track.Location),
    title: track.Name,
    artist: track.Artist,
    release: track.Album,
    genre: track.Genre,
    trackNumber: track.TrackNumber,
    discNumber: track.DiscNumber,
    playCount: track.PlayCount,
    stars: starsOfRating(Rating),
    key: track.Tonality,
    timeSignature: metre === undefined ? undefined : Number(metre),
    grid: tempi.map(({ Inizio, Bpm, Battito }) => ({
      time: number(Inizio) ?? Number.NaN,
      tempo: number(Bpm) ?? Number.NaN,
      place: number(Battito),
    })),
    cues: marks.map(({ Name, Type = '0', Start, End, Num, Red, Green, Blue }) => ({
      pad: number(Num) ?? -1,
      time: number(Start) ?? Number.NaN,
      end: Type === '4' ? number(End) : undefined,
      name: Name || MARK_NAMES[Type],
      colour: colourOf(Red, Green, Blue),
    })),
    notes: {
      comment: track.Comments,
      colour: rgb && `#${rgb.toLowerCase()}`,
      composer: track.Composer,
      grouping: track.Grouping,
      remixer: track.Remixer,
      label: track.Label,
      mix: track.Mix,
      added: track.DateAdded,
    },
  }
}

/** Ratings of 51 for each star. */
export function starsOfRating(rating: string | undefined): number | undefined {
  const value = number(rating)
  return value === undefined ? undefined : Math.round(value / 51)
}
