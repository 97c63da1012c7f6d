import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import { barMarkers, gridOf, metreOf, namedCues } from './bar-grid.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  fileUrl,
  type ListOptions,
  nameOfList,
  requirePath,
} from './export-track.ts'
import { DECLARATION, element } from './xml.ts'

/** Rekordbox writes tempi and times with these. */
const DECIMALS = { bpm: 2, time: 3 }

/**
 * A collection for Rekordbox (DJ_PLAYLISTS 1.0.0), with the tracks as a playlist: names, key, beat
 * grid and memory cues. Music of one tempo has one in its grid; where it drifts, each keeps its beats
 * within 10 ms, as rounded in the file.
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
export async function toRekordbox(tracks: ExportTracks, options?: ListOptions): Promise<string> {
  const name = nameOfList(options) ?? 'audile'
  const written = await eachOf(tracks, async (track, i) =>
    trackOf(track, gridOf(await track.document()), i + 1),
  )
  const keys = written.map((_, i) => element('TRACK', { Key: i + 1 }))
  const list = { Name: name, Type: 1, KeyType: 0, Entries: written.length }
  const root = { Type: 0, Name: 'ROOT', Count: 1 }
  const playlists = element('PLAYLISTS', {}, element('NODE', root, element('NODE', list, ...keys)))
  const collection = element('COLLECTION', { Entries: written.length }, '\n', ...written)
  const product = element('PRODUCT', { Name: 'audile', Version: '1', Company: '' })
  const all = element('DJ_PLAYLISTS', { Version: '1.0.0' }, product, '\n', collection, playlists)
  return `${DECLARATION}${all}\n`
}

function trackOf(track: Exported, document: AnalysisDocument, id: number): string {
  const metre = metreOf(document)
  const { tempo, duration, key_confidence, key, mode } = document.track
  const markers = barMarkers(document, { decimals: DECIMALS })
  const tempi = markers.map(({ time, bpm, place }) =>
    element('TEMPO', {
      Inizio: time.toFixed(DECIMALS.time),
      Bpm: bpm.toFixed(DECIMALS.bpm),
      Metro: `${metre}/4`,
      Battito: place,
    }),
  )
  const marks = namedCues(document).map(({ label, time }) =>
    element('POSITION_MARK', { Name: label, Type: 0, Start: time.toFixed(3), Num: -1 }),
  )
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
    Tonality: key >= 0 && key_confidence > 0 ? keyName(key, mode, 'short') : undefined,
    Location: fileUrl(requirePath(track), 'localhost'),
  }
  return `${element('TRACK', attributes, ...tempi, ...marks)}\n`
}
