import { cleanNumber } from './cleaning.ts'
import { CollectedPlaylists, rereadableInput } from './collected-playlists.ts'
import {
  type CollectedTrack,
  type CollectionEntry,
  type CollectionImportOptions,
  CollectionReader,
  colourOf,
  MAX_COLLECTED,
  pathOfLocation,
} from './collected-track.ts'
import { type Imported, type ImportRun, importRecords } from './import-run.ts'
import type { ImportInput } from './input.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/**
 * Reads a collection of Rekordbox (File, Export Collection in xml format; DJ_PLAYLISTS 1.0.0). Beat
 * grids become corrections; hot cues, memory cues and loops own cues, memory cues with the numbers
 * after the hot ones. A catalog gets names, plays, ratings, comments, colours and playlists.
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
  return importRecords(REKORDBOX_TRAITS, input, options, (givenInput, run) =>
    entriesOfRekordbox(givenInput, options, run),
  )
}

const REKORDBOX_TRAITS = {
  name: 'fromRekordbox',
  reads: 'a Rekordbox collection',
  forms: ['markup'],
} as const

async function* entriesOfRekordbox(
  givenInput: ImportInput,
  options: CollectionImportOptions,
  run: ImportRun,
): AsyncGenerator<CollectionEntry, void> {
  const input = await rereadableInput(givenInput)
  const playlists = new CollectedPlaylists(input, options.playlist)
  for await (const _ of readXml<never>(input, REKORDBOX_TRAITS.reads, () =>
    rekordboxPlaylistVisitor(playlists),
  ));
  const reader = new CollectionReader(input, run, options)
  const tracks = readXml<RekordboxTrack>(input, REKORDBOX_TRAITS.reads, rekordboxTrackVisitor)
  async function* keyedTracks() {
    for await (const rekordboxTrack of tracks) {
      const { TrackID = '', Location = '' } = rekordboxTrack.track
      const key = playlists.playlistsOf(Location).length > 0 ? Location : TrackID
      const make = (names: string[]) =>
        reader.collectionEntryOf(collectedRekordboxTrack(rekordboxTrack, reader), names)
      yield { key, make }
    }
  }
  yield* playlists.entriesInOrder(keyedTracks(), reader)
}

interface RekordboxTrack {
  track: Attributes
  tempi: Attributes[]
  marks: Attributes[]
}

function rekordboxTrackVisitor(emit: (track: RekordboxTrack) => void): XmlVisitor {
  let isCollection = false
  let openTrack: RekordboxTrack | undefined
  return {
    open(name, attributes) {
      if (name === 'COLLECTION') isCollection = true
      else if (name === 'TRACK' && isCollection)
        openTrack = { track: attributes, tempi: [], marks: [] }
      else if (name === 'TEMPO') addTo(openTrack?.tempi, attributes)
      else if (name === 'POSITION_MARK') addTo(openTrack?.marks, attributes)
    },
    close(name) {
      if (name === 'COLLECTION') isCollection = false
      if (name !== 'TRACK') return
      if (openTrack) emit(openTrack)
      openTrack = undefined
    },
  }
}

function addTo(list: Attributes[] | undefined, attributes: Attributes): void {
  if (list && list.length < MAX_COLLECTED) list.push(attributes)
}

/** Nodes of type 0 are folders, the first of which is the root. */
function rekordboxPlaylistVisitor(playlists: CollectedPlaylists): XmlVisitor {
  const nodes: string[] = []
  let isList = false
  return {
    open(name, { Type, Name = '', Key }) {
      if (name === 'NODE') {
        isList = Type === '1'
        if (isList) playlists.beginPlaylist(nodes.slice(1), Name)
        nodes.push(Name)
      } else if (name === 'TRACK' && isList && Key !== undefined) {
        playlists.addTrack(Key)
      }
    },
    close(name) {
      if (name !== 'NODE') return
      nodes.pop()
      isList = false
    },
  }
}

/** By type, for marks without a name. */
const MARK_NAMES: Readonly<Record<string, string>> = { 1: 'Fade in', 2: 'Fade out', 3: 'Load' }

function collectedRekordboxTrack(
  { track, tempi, marks }: RekordboxTrack,
  reader: CollectionReader,
): CollectedTrack {
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
      time: cleanNumber(Inizio) ?? Number.NaN,
      tempo: cleanNumber(Bpm) ?? Number.NaN,
      place: cleanNumber(Battito),
    })),
    cues: marks.map(({ Name, Type = '0', Start, End, Num, Red, Green, Blue }) => ({
      pad: cleanNumber(Num) ?? -1,
      time: cleanNumber(Start) ?? Number.NaN,
      end: Type === '4' ? cleanNumber(End) : undefined,
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

/** 51 for each star. */
export function starsOfRating(rating: string | undefined): number | undefined {
  const value = cleanNumber(rating)
  return value === undefined ? undefined : Math.round(value / 51)
}
