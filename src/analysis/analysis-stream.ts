import type { MonoListener } from '../audio/mono-stream.ts'
import { invalidParameter } from '../values/errors.ts'
import { ANALYZER_VERSION, type AnalysisDocument, type TrackLevels } from './document.ts'
import { findFades } from './fades.ts'
import { type Features, FrontEnd } from './front-end.ts'
import { shiftToTrack } from './intervals.ts'
import { findKey } from './key.ts'
import { soundingSpan } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { rhythmstringOf } from './published-strings.ts'
import { trackRhythm } from './rhythm.ts'
import { markedShare } from './rhythm-confidence.ts'
import { describeSections, findSections } from './sections.ts'
import { describeSegments, findSegmentCuts, pickOnsets } from './segments.ts'
import { ANALYSIS_RATE } from './spectra.ts'
import { structureOf } from './structure.ts'
import { findTatums } from './tatums.ts'
import type { WaveformPeaks } from './waveform-front.ts'

/** The format of the samples. */
export interface AudioFormat {
  /** Hz, a whole number of 1,000…768,000. */
  sampleRate: number
  /** The number of channels, 1 or more. */
  channels: number
}

/**
 * Analyses audio as it streams by: {@link push} block after block, then {@link finish} once.
 *
 * Memory grows by about 1 MB a minute of music, and no sample is kept.
 */
export class AnalysisStream {
  readonly #format: AudioFormat
  #frontEnd: FrontEnd | undefined
  #received = 0
  #seconds = 0

  /**
   * @param hear - receives the mono mix of the analysis as well
   * @throws {ParameterError} when the rate or the number of channels is out of range
   */
  constructor(format: AudioFormat, hear?: MonoListener) {
    const { sampleRate, channels } = format
    if (!Number.isSafeInteger(sampleRate) || sampleRate < 1_000 || sampleRate > 768_000)
      throw invalidParameter(
        'sampleRate',
        `${sampleRate} is not a whole number of hertz, 1000 to 768000.`,
      )
    if (!Number.isSafeInteger(channels) || channels < 1)
      throw invalidParameter(
        'samples',
        `${channels} channels; give a Float32Array for each channel.`,
      )
    this.#format = { sampleRate, channels }
    this.#frontEnd = new FrontEnd(sampleRate, channels, hear)
  }

  /**
   * Takes the next samples of every channel; they are neither kept nor changed. Samples that are
   * not finite count as 0.
   *
   * @throws {ParameterError} when the number of channels is not the format's, or lengths differ, or
   *   the analysis is finished
   */
  push(channels: Float32Array[]): void {
    const began = performance.now()
    const length = channels[0]?.length ?? 0
    const channelCount = this.#format.channels
    if (!this.#frontEnd) throw invalidParameter('samples', FINISHED)
    if (channels.length !== channelCount || channels.some((samples) => samples.length !== length)) {
      const lengths = channels.map((samples) => samples.length).join(', ')
      throw invalidParameter(
        'samples',
        `${channels.length} channels of ${lengths} samples; ${channelCount} of one length are due.`,
      )
    }
    this.#frontEnd.push(channels)
    this.#received += length
    this.#seconds += (performance.now() - began) / 1_000
  }

  /**
   * The analysis of all pushed samples, their waveform, and the blocks for the loudness of an
   * album.
   *
   * @throws {ParameterError} when no samples were pushed, or the analysis is finished already
   */
  finish(): {
    document: AnalysisDocument<false>
    waveform: WaveformPeaks
    loudnessBlocks: Uint32Array
  } {
    const began = performance.now()
    if (!this.#frontEnd) throw invalidParameter('samples', FINISHED)
    if (this.#received === 0) throw invalidParameter('samples', 'there are no samples to analyse.')
    const features = this.#frontEnd.finish()
    this.#frontEnd = undefined
    const results = analyzeFeatures(features)
    const { track } = results
    const meta: AnalysisDocument<false>['meta'] = {
      analyzer_version: ANALYZER_VERSION,
      platform: PLATFORM,
      detailed_status: 'OK',
      sample_rate: this.#format.sampleRate,
      seconds: Math.floor(track.duration),
      status_code: 0,
      timestamp: Math.floor(Date.now() / 1_000),
      analysis_time: this.#seconds + (performance.now() - began) / 1_000,
      input_process: inputProcess(this.#format),
    }
    const { bars, beats, tatums, sections, segments } = results
    const { waveform, loudness } = features
    const document = { meta, track, bars, beats, tatums, sections, segments }
    return { document, waveform, loudnessBlocks: loudness?.blocks ?? new Uint32Array(0) }
  }
}

function analyzeFeatures(features: Features): Omit<AnalysisDocument<false>, 'meta'> {
  const { samples, duration, lead, audioMd5, levels, novelty, chroma } = features
  /** On the time axis of frames. */
  const end = duration + lead

  const rhythm = trackRhythm({ spectrum: novelty.spectrum, chroma }, end, soundingSpan(levels))
  const { beats, bars, tempo, timeSignature, timeSignatureConfidence } = rhythm
  const onsets = pickOnsets(novelty)
  const markedBeatShare = markedShare(
    beats.map(({ start }) => start),
    onsets.map(({ time }) => time),
  )
  const tempoConfidence = markedBeatShare * rhythm.tempoConfidence
  const tatums = findTatums(beats, novelty)

  const key = findKey(chroma)
  const fades = findFades(levels, end)

  const cuts = findSegmentCuts(onsets, levels, beats, end)
  const segments = describeSegments(cuts, levels, chroma, end)
  // The first segment loses its beginning.
  const firstSegment = segments[0]!
  firstSegment.loudness_max_time = Math.max(0, firstSegment.loudness_max_time - lead)

  const sectionSpans = findSections(structureOf(beats, bars, levels, chroma, end))
  const trackValues = { tempo, tempoConfidence, timeSignature, timeSignatureConfidence }
  const sections = describeSections(sectionSpans, beats, levels, chroma, trackValues)

  const track: AnalysisDocument<false>['track'] = {
    num_samples: samples,
    duration,
    sample_md5: audioMd5,
    offset_seconds: 0,
    window_seconds: 0,
    analysis_sample_rate: ANALYSIS_RATE,
    analysis_channels: 1,
    end_of_fade_in: Math.max(0, fades.endOfFadeIn - lead),
    start_of_fade_out: Math.max(0, fades.startOfFadeOut - lead),
    ...trackLevels(features),
    tempo,
    tempo_confidence: tempoConfidence,
    time_signature: timeSignature,
    time_signature_confidence: timeSignatureConfidence,
    key: key.key,
    key_confidence: key.keyConfidence,
    mode: key.mode,
    mode_confidence: key.modeConfidence,
    synchstring: features.synchstring,
    synch_version: 1,
    rhythmstring: rhythmstringOf(levels, lead),
    rhythm_version: 1,
  }
  return {
    track,
    bars: shiftToTrack(bars, lead),
    beats: shiftToTrack(beats, lead),
    tatums: shiftToTrack(tatums, lead),
    sections: shiftToTrack(sections, lead),
    segments: shiftToTrack(segments, lead),
  }
}

function trackLevels({ loudness, truePeak }: Features): TrackLevels & { loudness: number | null } {
  const aboveFloor = (level: number) => Math.max(LOUDNESS.floor, level)
  return {
    loudness: loudness ? aboveFloor(loudness.integrated) : null,
    loudness_range: loudness?.range ?? null,
    max_momentary_loudness: loudness ? aboveFloor(loudness.maxMomentary) : null,
    max_short_term_loudness: loudness ? aboveFloor(loudness.maxShortTerm) : null,
    true_peak: loudness ? aboveFloor(20 * Math.log10(truePeak)) : null,
  }
}

const FINISHED = 'this analysis is finished; make a new Analyzer.'

/** Independent of the machine; the engine replaces it by its operating system. */
const PLATFORM = 'JavaScript'

/** In the words of the published documents. */
function inputProcess({ sampleRate, channels }: AudioFormat): string {
  const mix = ['mono', 'L+R'][channels - 1] ?? `${channels} channels`
  return `${mix} ${sampleRate}->${ANALYSIS_RATE}`
}
