import { cues } from '../analysis/cues/cues.ts'
import type { VoiceStretch } from '../analysis/cues/voices.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { invalidParameter } from '../values/errors.ts'
import { keyName } from '../values/music-key.ts'
import { barStarts, metreOf, namedCues } from './bar-grid.ts'
import {
  type Exported,
  type ExportSounds,
  type ExportTrack,
  type ExportTracks,
  oneLine,
  oneOrEach,
} from './export-track.ts'

/** What the labels of an Audacity label track are about. */
export type AudacityLabels = 'cues' | 'phrases' | 'sections' | 'bars' | 'beats' | 'sounds'

/** Which labels are written. */
export interface AudacityOptions {
  /**
   * `['cues', 'sections']` by default. `sounds`: where someone sings or speaks, and where an audience
   * claps, as far as a `soundModel` heard it.
   */
  labels?: readonly AudacityLabels[] | undefined
}

/**
 * A label track for Audacity (File, Import, Labels): lines of start, end and name.
 *
 * @param track - a handle of a library or plain data, with an analysis; or several
 * @returns the text of the track; of several tracks, a list in their order
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toAudacity } from 'audile/export'
 *
 * await writeFile('labels.txt', await toAudacity(track, { labels: ['bars', 'phrases'] }))
 * ```
 */
export function toAudacity(track: ExportTrack, options?: AudacityOptions): Promise<string>
export function toAudacity(tracks: ExportTracks, options?: AudacityOptions): Promise<string[]>
export function toAudacity(
  exportTracks: ExportTrack | ExportTracks,
  options: AudacityOptions = {},
): Promise<string | string[]> {
  return oneOrEach(exportTracks, async (track) => {
    const labels = requireLabels(options)
    const document = await track.document()
    const sounds = labels.includes('sounds') ? await track.sounds() : {}
    return labels
      .flatMap((kind) => (kind === 'sounds' ? soundLabels(sounds) : labelsOf(document, kind)))
      .sort((a, b) => a.start - b.start)
      .map(({ start, end, name }) => `${start.toFixed(6)}\t${end.toFixed(6)}\t${oneLine(name)}\n`)
      .join('')
  })
}

const AUDACITY_LABELS: readonly AudacityLabels[] = [
  'cues',
  'phrases',
  'sections',
  'bars',
  'beats',
  'sounds',
]

function requireLabels({
  labels = ['cues', 'sections'],
}: AudacityOptions): readonly AudacityLabels[] {
  if (Array.isArray(labels) && labels.every((label) => AUDACITY_LABELS.includes(label)))
    return labels
  throw invalidParameter('labels', `must be a list of ${AUDACITY_LABELS.join(', ')}`)
}

interface Label {
  start: number
  end: number
  name: string
}

function soundLabels({ voice = [], applause = [] }: ExportSounds): Label[] {
  const labelsOfStretches = (stretches: readonly VoiceStretch[], name: string) =>
    stretches.map(({ start, duration }) => ({ start, end: start + duration, name }))
  return [...labelsOfStretches(voice, 'Voice'), ...labelsOfStretches(applause, 'Applause')]
}

function labelsOf(document: AnalysisDocument, kind: Exclude<AudacityLabels, 'sounds'>): Label[] {
  if (kind === 'cues')
    return namedCues(document).map(({ time, label }) => ({ start: time, end: time, name: label }))
  if (kind === 'phrases')
    return cues(document).phrases.map(({ time, duration, bars }) => ({
      start: time,
      end: time + duration,
      name: `${bars} bars`,
    }))
  if (kind === 'beats') {
    const places = placesInBars(document)
    return document.beats.map(({ start }, i) => ({ start, end: start, name: `${places[i]}` }))
  }
  const name = kind === 'bars' ? 'Bar' : 'Section'
  return document[kind].map(({ start, duration }, i) => ({
    start,
    end: start + duration,
    name: `${name} ${i + 1}`,
  }))
}

/** From 1. */
function placesInBars(document: AnalysisDocument): number[] {
  const starts = barStarts(document)
  const metre = metreOf(document)
  let barStart = starts[0] ?? 0
  const barStartSet = new Set(starts)
  return document.beats.map((_, i) => {
    if (barStartSet.has(i)) barStart = i
    return ((((i - barStart) % metre) + metre) % metre) + 1
  })
}

/**
 * Annotations in JAMS 0.3 (JSON): namespaces `beat` (the value is the place in the bar), `tempo`,
 * `key_mode` and `segment_open`, each with confidences, and the cues as `tag_open`.
 *
 * @param track - a handle of a library or plain data, with an analysis; or several
 * @returns the text of the track; of several tracks, a list in their order
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toJams } from 'audile/export'
 *
 * await writeFile('song.jams', await toJams(track))
 * ```
 */
export function toJams(track: ExportTrack): Promise<string>
export function toJams(tracks: ExportTracks): Promise<string[]>
export function toJams(exportTracks: ExportTrack | ExportTracks): Promise<string | string[]> {
  return oneOrEach(exportTracks, async (track) => {
    const document = await track.document()
    return `${JSON.stringify(jamsOf(track, document), null, 1)}\n`
  })
}

interface Observation {
  time: number
  duration: number
  value: string | number
  confidence: number
}

function jamsOf({ title, artist, release }: Exported, document: AnalysisDocument): object {
  const { track, meta, beats, sections } = document
  const { duration, tempo, tempo_confidence, key, mode, key_confidence } = track
  const places = placesInBars(document)
  const wholeTrack = { time: 0, duration }
  const annotationOf = (namespace: string, data: Observation[]) => ({
    namespace,
    data,
    ...wholeTrack,
    sandbox: {},
    annotation_metadata: {
      version: meta.analyzer_version,
      corpus: '',
      data_source: 'program',
      validation: '',
      curator: { name: '', email: '' },
      annotator: {},
      annotation_tools: 'audile',
      annotation_rules: '',
    },
  })
  const isKeyed = key >= 0 && key_confidence > 0
  // JAMS names no flat of a white key: Cb and Fb do not occur here.
  const keyValue = isKeyed ? keyName(key, mode).replace(' ', ':') : ''
  return {
    file_metadata: {
      title,
      artist: artist ?? '',
      release: release ?? '',
      duration,
      identifiers: {},
      jams_version: '0.3.4',
    },
    annotations: [
      annotationOf(
        'beat',
        beats.map(({ start, confidence }, i) => ({
          time: start,
          duration: 0,
          value: places[i]!,
          confidence,
        })),
      ),
      annotationOf(
        'tempo',
        tempo > 0 ? [{ ...wholeTrack, value: tempo, confidence: tempo_confidence ?? 0 }] : [],
      ),
      annotationOf(
        'key_mode',
        isKeyed ? [{ ...wholeTrack, value: keyValue, confidence: key_confidence }] : [],
      ),
      annotationOf(
        'segment_open',
        sections.map(({ start, duration, confidence }, i) => ({
          time: start,
          duration,
          value: `section ${i + 1}`,
          confidence,
        })),
      ),
      annotationOf(
        'tag_open',
        namedCues(document).map(({ time, label, confidence }) => ({
          time,
          duration: 0,
          value: label,
          confidence,
        })),
      ),
    ],
    sandbox: {},
  }
}
