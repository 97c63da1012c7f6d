import { describe, expect, it } from 'vitest'
import {
  flattenWaveform,
  toAudiowaveformDat,
  toAudiowaveformJson,
  unflattenWaveform,
  type WaveformBand,
  zoomWaveform,
} from '../../src/analysis/waveform.ts'
import {
  WAVEFORM_BANDS,
  WaveformFront,
  type WaveformPeaks,
} from '../../src/analysis/waveform-front.ts'
import { Resampler } from '../../src/audio/resample.ts'
import { seeded } from '../support/chance.ts'

function peaksOf(mono: Float32Array, sampleRate = 44_100, cut = mono.length): WaveformPeaks {
  const front = new WaveformFront(sampleRate)
  const resampler = new Resampler(sampleRate, 22_050)
  for (let from = 0; from < mono.length; from += cut) {
    const part = mono.subarray(from, from + cut)
    front.push(part)
    front.pushBands(resampler.push(part))
  }
  front.pushBands(resampler.flush())
  return front.finish()
}

const sine = (hz: number, seconds: number, level = 0.5, sampleRate = 44_100) =>
  Float32Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, i) => level * Math.sin((2 * Math.PI * hz * i) / sampleRate),
  )

const random = seeded(9)
const noise = Float32Array.from({ length: 100_000 }, () => 1.6 * (random() - 0.5))

/** Straight from the definition. */
function plain(mono: Float32Array, size: number): { data: number[]; squares: number[] } {
  const data: number[] = []
  const squares: number[] = []
  for (let from = 0; from < mono.length; from += size) {
    const pixel = [...mono.subarray(from, from + size)]
    data.push(Math.round(128 * Math.min(...pixel)), Math.round(128 * Math.max(...pixel)))
    squares.push(pixel.reduce((sum, x) => sum + x * x, 0) / pixel.length)
  }
  return { data, squares }
}

describe('a waveform', () => {
  it.each([256, 512, 4_096])('has the extremes and the mean squares of pixels of %i', (zoom) => {
    const { data, squares } = plain(noise, zoom)
    const made = zoomWaveform(peaksOf(noise), { samplesPerPixel: zoom })
    expect(made).toMatchObject({ sampleRate: 44_100, samplesPerPixel: zoom, bits: 8 })
    expect(made.length).toBe(Math.ceil(noise.length / zoom))
    expect(made.data).toEqual(data)
    made.rms.forEach((rms, i) => {
      // The last pixel is shorter than those it is made of.
      const allowed = i === made.length - 1 ? 6 : 1
      expect(Math.abs(rms - 255 * Math.sqrt(squares[i]!))).toBeLessThanOrEqual(allowed)
    })
  })

  it('covers its samples at a zoom that is no multiple of what is stored', () => {
    const samplesPerPixel = 1_000
    const { data } = zoomWaveform(peaksOf(noise), { samplesPerPixel })
    const exact = plain(noise, samplesPerPixel).data
    expect(data).toHaveLength(exact.length)
    for (let i = 0; i < data.length; i += 2) {
      expect(data[i]).toBeLessThanOrEqual(exact[i]!)
      expect(data[i + 1]).toBeGreaterThanOrEqual(exact[i + 1]!)
    }
  })

  it('clips what is over full scale', () => {
    const { data, rms } = zoomWaveform(peaksOf(sine(1_000, 0.1, 3)), {})
    expect(data.slice(0, 2)).toEqual([-128, 127])
    expect(rms[0]).toBe(255)
  })

  it('does not depend on how the samples are cut', () => {
    expect(peaksOf(noise, 44_100, 777)).toEqual(peaksOf(noise))
  })

  it('is refused finer than it is stored', () => {
    const peaks = peaksOf(noise)
    expect(() => zoomWaveform(peaks, { samplesPerPixel: 255 })).toThrow('give 256 or more')
    expect(() => zoomWaveform(peaks, { samplesPerPixel: 511, band: 'low' })).toThrow(
      'give 512 or more',
    )
    expect(() => zoomWaveform(peaks, { samplesPerPixel: 300.5 })).toThrow('samplesPerPixel')
  })

  it.each([
    ['low', 60],
    ['mid', 632],
    ['high', 7_000],
  ] as const)('has in the band %s what sounds there', (band, hz) => {
    const peaks = peaksOf(sine(hz, 2))
    const highest = (name: WaveformBand) => {
      const { data } = zoomWaveform(peaks, { band: name })
      return Math.max(...data.slice(40, -40))
    }
    expect(highest(band)).toBeGreaterThan(55)
    for (const other of WAVEFORM_BANDS.names)
      if (other !== band) expect(highest(other)).toBeLessThan(12)
  })

  it.each([8_000, 44_100, 48_000, 192_000])('has its bands in time at %i Hz', (rate) => {
    const mono = new Float32Array(4 * rate)
    mono.set(sine(500, 0.5, 0.8, rate), 3 * rate)
    const { data, length } = zoomWaveform(peaksOf(mono, rate), { band: 'mid' })
    expect(length).toBe(Math.ceil((4 * rate) / 512))
    const first = data.findIndex((value) => Math.abs(value) > 20) >> 1
    expect(Math.abs(first - (3 * rate) / 512)).toBeLessThanOrEqual(2)
  })

  it('is packed and unpacked without a loss', () => {
    const peaks = peaksOf(noise)
    expect(unflattenWaveform(flattenWaveform(peaks), peaks)).toEqual(peaks)
    expect(() => unflattenWaveform(flattenWaveform(peaks).subarray(1), peaks)).toThrow(RangeError)
    expect(zoomWaveform(peaksOf(new Float32Array(0)), {})).toMatchObject({ length: 0, data: [] })
  })
})

describe('the files of audiowaveform', () => {
  const waveform = {
    ...({ sampleRate: 44_100, samplesPerPixel: 512, bits: 8, length: 2 } as const),
    data: [-65, 63, -128, 127],
    rms: [20, 90],
  }

  it('have the bytes of a .dat file of version 1', () => {
    const bytes = [
      ...[1, 0, 0, 0, 1, 0, 0, 0, 0x44, 0xac, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0],
      ...[0xbf, 0x3f, 0x80, 0x7f],
    ]
    expect([...toAudiowaveformDat(waveform)]).toEqual(bytes)
  })

  it('have the fields of a JSON file of version 2', () => {
    expect(JSON.parse(toAudiowaveformJson(waveform))).toEqual({
      ...{ version: 2, channels: 1, sample_rate: 44_100, samples_per_pixel: 512, bits: 8 },
      ...{ length: 2, data: [-65, 63, -128, 127] },
    })
  })
})
