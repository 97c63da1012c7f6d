import { identifyFormat } from '../audio/formats.ts'
import { readOggComment, wrapInFlac } from '../audio/ogg-pages.ts'
import { memorySource, parseTags, readLimited } from '../audio/tags.ts'
import type { CollectedTrack } from './collected-track.ts'
import { beatGridOf, fromPlainBase64, markers2Of, type SeratoMarkers } from './serato-markers.ts'

/** Most bytes that are read for the tags of a file. */
const MAX_TAG_BYTES = 64 * 1024 ** 2

/** The tags of a file, as far as they are Serato's, and its names. */
export interface SeratoFile extends SeratoMarkers {
  names: Omit<CollectedTrack, 'path' | 'grid' | 'cues'>
  /** Whether Serato has written any of them. */
  isMarked: boolean
}

/** @returns the fault, in words, for what is no sound file, or has too large tags */
export async function readSeratoFile(path: string): Promise<SeratoFile | string> {
  const { found, exceeded } = await readLimited(path, MAX_TAG_BYTES, async (file) => {
    const { container, misplaced, audio } = await identifyFormat(file)
    if (container === undefined) return undefined
    const comment = container === 'ogg' ? await readOggComment(audio) : undefined
    return comment
      ? parseTags(memorySource(wrapInFlac(comment)), 'flac')
      : parseTags(misplaced ? audio : file, container)
  })
  if (exceeded) return `a file has tags of more than ${MAX_TAG_BYTES} bytes`
  if (!found) return 'a file is no sound file, or cannot be read'
  const { common } = found
  const tags = Object.values(found.native).flat()
  const contents = new Map(tags.flatMap(({ id, value }) => contentOf(id, value)))
  const [beatGrid, markers2] = [contents.get('beatgrid'), contents.get('markers2')]
  const plays = tags.find(({ id }) => /(?:^|:)SERATO_PLAYCOUNT$/i.test(id))?.value
  const { title, artist, album: release, genre, track, disk, comment } = common
  const [note] = comment ?? []
  return {
    ...markersOf(beatGrid, markers2, contents.has('markers_')),
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

function markersOf(
  beatGrid: Uint8Array | undefined,
  markers2: Uint8Array | undefined,
  hasOldMarkers: boolean,
): SeratoMarkers {
  const grid = beatGrid ? beatGridOf(beatGrid) : []
  const old = 'markers are in the old form of Serato only (Serato Markers_)'
  const marked = markers2 ? markers2Of(markers2) : { cues: [], faults: hasOldMarkers ? [old] : [] }
  if (typeof grid !== 'string') return { ...marked, grid }
  return { ...marked, grid: [], faults: [...marked.faults, grid] }
}

/** Serato's names of what it stores, in GEOB frames, Vorbis comments and boxes of MP4. */
const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:Serato BeatGrid|SERATO_BEATGRID|----:com\.serato\.dj:beatgrid)$/i, 'beatgrid'],
  [/^(?:Serato Markers2|SERATO_MARKERS_?V?2|----:com\.serato\.dj:markersv2)$/i, 'markers2'],
  [/^(?:Serato Markers_|SERATO_MARKERS|----:com\.serato\.dj:markers)$/i, 'markers_'],
]

function contentOf(id: string, value: unknown): [name: string, content: Uint8Array][] {
  const isObject = id === 'GEOB' || id === 'GEO'
  const { description = '', data } = (isObject ? value : {}) as Partial<{
    description: string
    data: Uint8Array
  }>
  const name = NAMES.find(([pattern]) => pattern.test(isObject ? description : id))?.[1]
  if (name === undefined) return []
  if (isObject) return data ? [[name, data]] : []
  const text = typeof value === 'string' ? value : textOfBytes(value)
  return text === undefined ? [] : [[name, behindName(fromPlainBase64(text))]]
}

function textOfBytes(value: unknown): string | undefined {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : undefined
}

const TYPE = 'application/octet-stream\0'

/** The content behind a type, a file name and a description, each ended by NUL, as in GEOB frames. */
function behindName(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(0, TYPE.length)).toString('latin1') !== TYPE) return bytes
  const nameEnd = bytes.indexOf(0, TYPE.length)
  return bytes.subarray(bytes.indexOf(0, nameEnd + 1) + 1)
}
