import { MonoMix } from '../audio/mono-mix.ts'
import { heardRate, type MonoListener } from '../audio/mono-stream.ts'
import { Resampler } from '../audio/resample.ts'
import { type SpectrumListener, SpectrumStream } from '../audio/spectra/spectrum-stream.ts'
import { type Chroma, chromaOf } from './chroma.ts'
import { COLLECTED_SECONDS, type FrameGrid, layFrameGrid } from './frame-grid.ts'
import { exactTime } from './intervals.ts'
import { LEVEL_BANDS, LevelFront, type Levels } from './levels.ts'
import { LoudnessMeter } from './loudness.ts'
import type { Loudness } from './loudness-measures.ts'
import { windowOf } from './meyda.ts'
import { NOVELTY_BANDS, type Novelty, NoveltyFront } from './novelty.ts'
import { PEAKS, PeakFront } from './peaks.ts'
import { SynchstringFront } from './published-strings.ts'
import { SampleSum } from './sample-sum.ts'
import { ANALYSIS_RATE, SPECTRA } from './spectra.ts'
import { TruePeakMeter } from './true-peak.ts'
import { WaveformFront, type WaveformPeaks } from './waveform-front.ts'

/** The result of one pass over the samples. */
export interface Features {
  samples: number
  duration: number
  /** Seconds of silence, less than 0.02, before the track on the axis of frames: an exact time. */
  lead: number
  /** MD5 of the mono samples as 16-bit little-endian integers, rounded and clipped. */
  audioMd5: string
  /** Of all channels; undefined for less than 400 ms. */
  loudness: Loudness | undefined
  /** Of all channels; full scale is 1. */
  truePeak: number
  waveform: WaveformPeaks
  levels: Levels
  novelty: Novelty
  chroma: Chroma
  synchstring: string
}

/** The first 30 s are held back until the frame grid is known; no sample is kept after that. */
export class FrontEnd {
  readonly #meter: LoudnessMeter
  readonly #truePeak: TruePeakMeter
  readonly #waveform: WaveformFront
  readonly #resampler: Resampler
  /** Twice by two: half-band filters are cheap, and only the ratio of the rates matters. */
  readonly #halver = new Resampler(2, 1)
  readonly #quarterer = new Resampler(2, 1)
  #novelty = new NoveltyFront()
  readonly #levels = new LevelFront()
  readonly #peaks = new PeakFront()
  readonly #synchstring = new SynchstringFront()
  readonly #spectra: SpectrumStream
  readonly #pitchSpectra: SpectrumStream
  readonly #sum = new SampleSum()
  readonly #hear: MonoListener | undefined
  readonly #mix: MonoMix
  readonly #collected = new Float32Array(COLLECTED_SECONDS * ANALYSIS_RATE)
  #grid: FrameGrid | undefined
  #samples = 0

  /** @param hear - receives the mono mix as well */
  constructor(sampleRate: number, channels: number, hear?: MonoListener) {
    const coarse = heardRate(sampleRate) < ANALYSIS_RATE
    this.#hear = coarse ? undefined : hear
    this.#meter = new LoudnessMeter(sampleRate, channels)
    this.#truePeak = new TruePeakMeter(channels)
    this.#waveform = new WaveformFront(sampleRate)
    this.#resampler = new Resampler(sampleRate, ANALYSIS_RATE)
    this.#mix = new MonoMix(sampleRate, (mono, block) => {
      this.#meter.push(block)
      this.#truePeak.push(block)
      this.#waveform.push(mono)
      if (coarse) hear?.(mono)
      this.#takeMono(this.#resampler.push(mono))
    })
    const window = windowOf('hanning', SPECTRA.size)
    const takeFrame: SpectrumListener = (_, [bands, powers]) => {
      this.#novelty.push(bands!)
      this.#levels.push(powers!)
    }
    this.#spectra = new SpectrumStream(window, SPECTRA.hop, takeFrame, [NOVELTY_BANDS, LEVEL_BANDS])
    const pitchWindow = windowOf('blackman', PEAKS.size)
    this.#pitchSpectra = new SpectrumStream(pitchWindow, PEAKS.hop, (magnitudes) =>
      this.#peaks.push(magnitudes),
    )
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    this.#mix.push(channels)
  }

  finish(): Features {
    this.#mix.finish()
    this.#takeMono(this.#resampler.flush())
    const { lead, pitchLead } =
      this.#grid ?? this.#layFrames(this.#collected.subarray(0, this.#samples))
    this.#pitchSpectra.push(this.#quarterer.push(this.#halver.flush()))
    this.#pitchSpectra.push(this.#quarterer.flush())
    this.#spectra.finish()
    this.#pitchSpectra.finish()
    return {
      samples: this.#samples,
      duration: this.#samples / ANALYSIS_RATE,
      lead: exactTime(lead / ANALYSIS_RATE),
      audioMd5: this.#sum.finish(),
      loudness: this.#meter.finish(),
      truePeak: this.#truePeak.finish(),
      waveform: this.#waveform.finish(),
      levels: this.#levels.finish(),
      novelty: this.#novelty.finish(),
      chroma: chromaOf(this.#peaks.finish((lead - pitchLead) / ANALYSIS_RATE)),
      synchstring: this.#synchstring.finish(),
    }
  }

  #takeMono(samples: Float32Array): void {
    if (samples.length === 0) return
    const samplesBefore = this.#samples
    this.#samples += samples.length
    this.#hear?.(samples)
    this.#sum.push(samples)
    this.#waveform.pushBands(samples)
    this.#synchstring.push(samples)
    if (this.#grid !== undefined) {
      this.#cutFrames(samples)
      return
    }
    const freeLength = this.#collected.length - samplesBefore
    this.#collected.set(samples.subarray(0, freeLength), samplesBefore)
    if (samples.length < freeLength) return
    this.#layFrames(this.#collected)
    this.#cutFrames(samples.subarray(freeLength))
  }

  #layFrames(collected: Float32Array): FrameGrid {
    const grid = layFrameGrid(collected)
    this.#grid = grid
    this.#novelty = new NoveltyFront(grid.phase)
    this.#spectra.push(new Float32Array(grid.lead))
    this.#cutPitches(new Float32Array(grid.pitchLead))
    this.#cutFrames(collected)
    return grid
  }

  #cutFrames(samples: Float32Array): void {
    if (samples.length === 0) return
    this.#spectra.push(samples)
    this.#cutPitches(samples)
  }

  #cutPitches(samples: Float32Array): void {
    if (samples.length === 0) return
    this.#pitchSpectra.push(this.#quarterer.push(this.#halver.push(samples)))
  }
}
