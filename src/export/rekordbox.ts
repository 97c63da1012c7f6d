import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import { barMarkers, documentOnGrid, hotCues, metreOf, rgbOfColour } from './bar-grid.ts'
import { type CollectionOptions, collectionOf } from './collection.ts'
import {
  type Exported,
  type ExportTracks,
  fileUrl,
  requireAbsolutePath,
  rgbOf,
  starsOf,
} from './export-track.ts'
import { XML_DECLARATION, xmlElement } from './xml.ts'

const REKORDBOX_DECIMALS = { bpm: 2, time: 3 }

/**
 * A collection for Rekordbox (DJ_PLAYLISTS 1.0.0), with playlists: names, key, beat grid and memory
 * cues. Own cues and loops are hot cues on their pads, A to H. A grid has one tempo, or where music
 * drifts, tempi that keep beats within 10 ms.
 *
 * Import it under Preferences, Advanced, rekordbox xml. Some programs hear an mp3 up to 26 ms later
 * or earlier than others, with all its beats.
 *
 * @param tracks - handles of a library or plain data, with analyses and absolute paths
 * @throws {ParameterError} on a track without an analysis or a file
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toRekordbox } from 'audile/export'
 *
 * await writeFile('rekordbox.xml', await toRekordbox(music.tracks.all({ genre: 'house' })))
 * ```
 */
export async function toRekordbox(
  tracks: ExportTracks,
  options: CollectionOptions = {},
): Promise<string> {
  const collection = await collectionOf(tracks, options, async (track, place) =>
    trackElement(track, documentOnGrid(await track.document()), await track.ownCues(), place + 1),
  )
  const lists = collection.playlists.map(({ name, places }) => {
    const keys = places.map((place) => xmlElement('TRACK', { Key: place + 1 }))
    return xmlElement('NODE', { Name: name, Type: 1, KeyType: 0, Entries: keys.length }, ...keys)
  })
  const root = { Type: 0, Name: 'ROOT', Count: lists.length }
  const playlists = xmlElement('PLAYLISTS', {}, xmlElement('NODE', root, ...lists))
  const entries = { Entries: collection.tracks.length }
  const collectionElement = xmlElement('COLLECTION', entries, '\n', ...collection.tracks)
  const product = xmlElement('PRODUCT', { Name: 'audile', Version: '1', Company: '' })
  const document = xmlElement(
    'DJ_PLAYLISTS',
    { Version: '1.0.0' },
    product,
    '\n',
    collectionElement,
    playlists,
  )
  return `${XML_DECLARATION}${document}\n`
}

/** Rekordbox has eight pads; what lies beyond is a memory cue. */
const REKORDBOX_PADS = 8

function ownMark({ number, time, end, name, colour }: OwnCue): string {
  const [Red, Green, Blue] = colour === undefined ? [] : rgbOfColour(colour)
  return xmlElement('POSITION_MARK', {
    Name: name ?? '',
    Type: end === undefined ? 0 : 4,
    Start: time.toFixed(3),
    End: end?.toFixed(3),
    Num: number > REKORDBOX_PADS ? -1 : number - 1,
    Red,
    Green,
    Blue,
  })
}

function trackElement(
  track: Exported,
  document: AnalysisDocument,
  ownCues: readonly OwnCue[],
  id: number,
): string {
  const metre = metreOf(document)
  const { tempo, duration, key_confidence, key, mode } = document.track
  const markers = barMarkers(document, { decimals: REKORDBOX_DECIMALS })
  const tempi = markers.map(({ time, bpm, place }) =>
    xmlElement('TEMPO', {
      Inizio: time.toFixed(REKORDBOX_DECIMALS.time),
      Bpm: bpm.toFixed(REKORDBOX_DECIMALS.bpm),
      Metro: `${metre}/4`,
      Battito: place,
    }),
  )
  const marks = hotCues(document, ownCues).map(({ label, time }) =>
    xmlElement('POSITION_MARK', { Name: label, Type: 0, Start: time.toFixed(3), Num: -1 }),
  )
  const [stars, colour] = [starsOf(track), rgbOf(track)]
  const attributes = {
    TrackID: id,
    Name: track.title,
    Artist: track.artist,
    Album: track.release,
    Genre: track.genres?.[0],
    TotalTime: Math.round(duration),
    DiscNumber: track.discNumber,
    TrackNumber: track.trackNumber,
    Year: track.year,
    AverageBpm: (markers.length === 1 ? markers[0]!.bpm : tempo).toFixed(2),
    BitRate: track.bitrate,
    SampleRate: track.samplerate ?? document.meta.sample_rate,
    Comments: track.comment,
    Rating: stars === undefined ? undefined : 51 * stars,
    Colour: colour && `0x${hexOf(colour)}`,
    Tonality: key >= 0 && key_confidence > 0 ? keyName(key, mode, 'short') : undefined,
    Location: fileUrl(requireAbsolutePath(track), 'localhost'),
  }
  return `${xmlElement('TRACK', attributes, ...tempi, ...ownCues.map(ownMark), ...marks)}\n`
}

function hexOf(numbers: readonly number[]): string {
  return numbers.map((number) => number.toString(16).padStart(2, '0').toUpperCase()).join('')
}
