import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { requireCorrections } from '../analysis/correction/corrections.ts'
import { requireOwnCues } from '../analysis/cues/own-cues.ts'
import { describingSound } from '../analysis/descriptor.ts'
import { type AnalysisDocument, stringifyAnalysis } from '../analysis/document.ts'
import { type AnalysisSummary, summarize } from '../analysis/document-summary.ts'
import { inTurns } from '../kernel/scheduler.ts'
import type { Fingerprints } from '../recognition/recording-store.ts'
import { printsOfRecord } from '../song/import.ts'
import { invalidParameter, limitExceeded } from '../values/errors.ts'
import { absolutePath } from '../values/file-path.ts'
import { type ForeignId, isId, parseForeignId } from '../values/ids.ts'
import { MAX_DOCUMENT_BYTES } from './read-document.ts'
import type { TrackRoom } from './room.ts'
import { type CheckedTrack, hasSound } from './track-record.ts'

const deflateText = promisify(deflateRaw)

/** A character has four bytes at most. */
const MAX_STORED_CHARACTERS = MAX_DOCUMENT_BYTES / 4

export interface ImportedFile {
  path: string
  present: boolean
  /** Known when the file was read. */
  size: number | null
  modified: number | null
}

/** With all that takes time to compute or may be rejected. */
export interface PreparedRecord {
  record: CheckedTrack
  md5: string | null
  files: ImportedFile[]
  foreignIds: ForeignId[]
  fingerprints: Fingerprints
  document: AnalysisDocument | undefined
  summary: AnalysisSummary | undefined
  /** As it is stored. */
  deflated: Uint8Array | undefined
  descriptor: Float32Array | undefined
}

/** Before anything is written. */
export async function prepareRecord(
  room: TrackRoom,
  record: CheckedTrack,
  signal: AbortSignal,
): Promise<PreparedRecord> {
  requireNative(record)
  requireCorrections(record.corrections ?? {})
  requireOwnCues(record.cues ?? [])
  // The document keeps all fields that it came with.
  const document = record.analysis as AnalysisDocument | undefined
  const paths = record.file === undefined ? [] : [record.file].flat()
  const files = await Promise.all(paths.map((path) => fileAt(absolutePath(path))))
  // Notes belong to a track that is known by its path.
  const readMd5 = () => (hasSound(record) ? md5OfFiles(room, files, signal) : null)
  const md5 = record.md5?.toLowerCase() ?? (await readMd5())
  return {
    record,
    md5,
    files,
    foreignIds: foreignIdsOfRecord(record),
    fingerprints: fingerprintsOfRecord(record),
    document,
    summary: document && summarize(document),
    deflated: document && (await deflateText(textToStore(document))),
    descriptor: document?.segments.length
      ? await inTurns(describingSound(document), signal)
      : undefined,
  }
}

/** @throws {ParameterError} when it is too long to be read again */
function textToStore(document: AnalysisDocument): string {
  const text = stringifyAnalysis(document)
  if (text.length <= MAX_STORED_CHARACTERS) return text
  throw limitExceeded(
    'analysis',
    `its text has ${text.length} characters, more than ${MAX_STORED_CHARACTERS}`,
  )
}

function requireNative({ id, songId }: CheckedTrack): void {
  if (id !== undefined && !isId('track', id)) throw invalidParameter('id', `"${id}" is no TR… id`)
  if (songId !== undefined && !isId('song', songId)) {
    throw invalidParameter('songId', `"${songId}" is no SO… id`)
  }
}

async function fileAt(path: string): Promise<ImportedFile> {
  const info = await stat(path).catch(() => undefined)
  return { path, present: info?.isFile() ?? false, size: null, modified: null }
}

/** Of the first file that exists, whose size and time it sets. */
async function md5OfFiles(
  { uploads }: TrackRoom,
  files: ImportedFile[],
  signal: AbortSignal,
): Promise<string | null> {
  const file = files.find(({ present }) => present)
  if (!file) return null
  const { md5, size, modified } = await uploads.hash(file.path, signal)
  Object.assign(file, { size, modified })
  return md5
}

function foreignIdsOfRecord({ foreignIds = [], audioFeatures }: CheckedTrack): ForeignId[] {
  const ids = foreignIds.map((text) => {
    const id = parseForeignId(text)
    if (!id) throw invalidParameter('foreignIds', `"${text}" is no <id space>:<type>:<id>`)
    return id
  })
  const { id } = audioFeatures ?? {}
  return id === undefined ? ids : [...ids, { catalog: 'spotify', type: 'track', id }]
}

/** In the document and beside it. */
function fingerprintsOfRecord(record: CheckedTrack): Fingerprints {
  const { codestring, code_version, echoprintstring, echoprint_version } = (record.analysis
    ?.track ?? {}) as Partial<AnalysisDocument<true>['track']>
  const documentStrings = [
    { code: codestring, version: code_version },
    { code: echoprintstring, version: echoprint_version },
  ].flatMap(({ code, version }) => (code && version ? [{ code, version }] : []))
  const decodedPrints = documentStrings.flatMap((codeString) => {
    try {
      return printsOfRecord({ fingerprints: [codeString] })
    } catch {
      // The old service truncated some; the analysis is still valid.
      return []
    }
  })
  const allPrints = [...decodedPrints, ...printsOfRecord(record)]
  return Object.assign({}, ...allPrints.map(({ fingerprints }) => fingerprints))
}
