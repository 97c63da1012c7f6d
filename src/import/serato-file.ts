import { identifyFormat } from '../audio/formats.ts'
import { readOggComment, wrapInFlac } from '../audio/ogg-pages.ts'
import { memorySource, parseTags, readLimited } from '../audio/tags.ts'
import type { CollectedTrack } from './collected-track.ts'
import {
  fromPlainBase64,
  parseBeatGrid,
  parseMarkers2,
  type SeratoMarkers,
} from './serato-markers.ts'

const MAX_READ_BYTES = 64 * 1024 ** 2

/** The tags of Serato, and the names. */
export interface SeratoFile extends SeratoMarkers {
  names: Omit<CollectedTrack, 'path' | 'grid' | 'cues'>
  /** Serato has written some of them. */
  isMarked: boolean
}

/** @returns the fault, in words, for what is no sound file, or has too large tags */
export async function readSeratoFile(path: string): Promise<SeratoFile | string> {
  const { found: metadata, exceeded } = await readLimited(path, MAX_READ_BYTES, async (file) => {
    const { container, misplaced, audio } = await identifyFormat(file)
    if (container === undefined) return undefined
    const comment = container === 'ogg' ? await readOggComment(audio) : undefined
    return comment
      ? parseTags(memorySource(wrapInFlac(comment)), 'flac')
      : parseTags(misplaced ? audio : file, container)
  })
  if (exceeded) return `a file has tags of more than ${MAX_READ_BYTES} bytes`
  if (!metadata) return 'a file is no sound file, or cannot be read'
  const { common } = metadata
  const tags = Object.values(metadata.native).flat()
  const contents = new Map(tags.flatMap(({ id, value }) => seratoContent(id, value)))
  const [beatGrid, markers2] = [contents.get('beatgrid'), contents.get('markers2')]
  const plays = tags.find(({ id }) => /(?:^|:)SERATO_PLAYCOUNT$/i.test(id))?.value
  const { title, artist, album: release, genre, track, disk, comment } = common
  const [note] = comment ?? []
  return {
    ...seratoMarkersOf(beatGrid, markers2, contents.has('markers_')),
    isMarked: contents.size > 0,
    names: {
      title,
      artist,
      release,
      genre: genre?.[0],
      trackNumber: track?.no,
      discNumber: disk?.no,
      playCount: plays,
      notes: { comment: typeof note === 'string' ? note : note?.text },
    },
  }
}

function seratoMarkersOf(
  beatGrid: Uint8Array | undefined,
  markers2: Uint8Array | undefined,
  hasOldMarkers: boolean,
): SeratoMarkers {
  const grid = beatGrid ? parseBeatGrid(beatGrid) : []
  const oldFormFault = 'markers are in the old form of Serato only (Serato Markers_)'
  const markers = markers2
    ? parseMarkers2(markers2)
    : { cues: [], faults: hasOldMarkers ? [oldFormFault] : [] }
  if (typeof grid !== 'string') return { ...markers, grid }
  return { ...markers, grid: [], faults: [...markers.faults, grid] }
}

/** In GEOB frames, Vorbis comments and boxes of MP4. */
const SERATO_NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:Serato BeatGrid|SERATO_BEATGRID|----:com\.serato\.dj:beatgrid)$/i, 'beatgrid'],
  [/^(?:Serato Markers2|SERATO_MARKERS_?V?2|----:com\.serato\.dj:markersv2)$/i, 'markers2'],
  [/^(?:Serato Markers_|SERATO_MARKERS|----:com\.serato\.dj:markers)$/i, 'markers_'],
]

function seratoContent(id: string, value: unknown): [name: string, content: Uint8Array][] {
  const isObject = id === 'GEOB' || id === 'GEO'
  const { description = '', data } = (isObject ? value : {}) as Partial<{
    description: string
    data: Uint8Array
  }>
  const name = SERATO_NAMES.find(([pattern]) => pattern.test(isObject ? description : id))?.[1]
  if (name === undefined) return []
  if (isObject) return data ? [[name, data]] : []
  const text = typeof value === 'string' ? value : textOfBytes(value)
  return text === undefined ? [] : [[name, contentBehindName(fromPlainBase64(text))]]
}

function textOfBytes(value: unknown): string | undefined {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : undefined
}

const CONTENT_TYPE = 'application/octet-stream\0'

/** Behind a type, a file name and a description, each ended by NUL, as in GEOB frames. */
function contentBehindName(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(0, CONTENT_TYPE.length)).toString('latin1') !== CONTENT_TYPE)
    return bytes
  const nameEnd = bytes.indexOf(0, CONTENT_TYPE.length)
  return bytes.subarray(bytes.indexOf(0, nameEnd + 1) + 1)
}
