import { invalidParameter } from '../values/errors.ts'
import { PIXEL, PIXEL_BYTES, WAVEFORM_BANDS, type WaveformPeaks } from './waveform-front.ts'

/** A band of a waveform: `low` below 200 Hz, `mid` up to 2 kHz, `high` from there to 11 kHz. */
export type WaveformBand = (typeof WAVEFORM_BANDS.names)[number]

/** The zoom and the band of a waveform. */
export interface WaveformOptions {
  /** Samples of the file in a pixel: 256 or more, in a band 512 or more. Default: the least. */
  samplesPerPixel?: number | undefined
  /** Default: the whole sound. */
  band?: WaveformBand | undefined
}

/**
 * The peaks of a track in pixels: what audiowaveform's JSON has, in camelCase, and the root mean
 * squares. It is made of the mean of all channels.
 */
export interface Waveform {
  /** Of the file, Hz. */
  sampleRate: number
  /** Samples of the file in a pixel. */
  samplesPerPixel: number
  /** Bits of a value: 8. */
  bits: 8
  /** The number of pixels; the last one may have fewer samples. */
  length: number
  /** The lowest and the highest sample of each pixel in turn, -128…127; full scale is ±128. */
  data: number[]
  /** The root mean square of each pixel, 0…255; 255 is that of full scale. */
  rms: number[]
}

/** What is measured of a recording beside its document, as it is stored. */
export interface MeasuredWaveform extends Pick<WaveformPeaks, 'sampleRate' | 'samples'> {
  /** Of 400 ms, by their loudness, for the loudness of an album. */
  blocks: Uint32Array
  /** The flattened pixels, compressed by raw deflate. */
  peaks: Uint8Array<ArrayBuffer>
}

/** Byte by byte of the pixels, as differences from the pixel before: this deflates well. */
export function flattenWaveform({ rows }: WaveformPeaks): Uint8Array<ArrayBuffer> {
  const flat = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0))
  let offset = 0
  for (const row of rows)
    for (let byte = 0; byte < PIXEL_BYTES; byte++)
      for (let i = byte, last = 0; i < row.length; i += PIXEL_BYTES) {
        flat[offset++] = row[i]! - last
        last = row[i]!
      }
  return flat
}

export function flattenedLength(samples: number): number {
  return PIXEL_BYTES * pixelsOf(samples).reduce((sum, count) => sum + count)
}

function pixelsOf(samples: number): number[] {
  return [PIXEL.whole, ...WAVEFORM_BANDS.names.map(() => PIXEL.band)].map((size) =>
    Math.ceil(samples / size),
  )
}

/**
 * The reverse of {@link flattenWaveform}.
 *
 * @throws {RangeError} when the length is not that of the samples
 */
export function unflattenWaveform(
  flat: Uint8Array,
  { sampleRate, samples }: Pick<WaveformPeaks, 'sampleRate' | 'samples'>,
): WaveformPeaks {
  if (flat.length !== flattenedLength(samples))
    throw new RangeError(`${flat.length} bytes are not the waveform of ${samples} samples.`)
  let offset = 0
  const rows = pixelsOf(samples).map((count) => {
    const row = new Uint8Array(PIXEL_BYTES * count)
    for (let byte = 0; byte < PIXEL_BYTES; byte++)
      for (let i = byte, last = 0; i < row.length; i += PIXEL_BYTES) {
        row[i] = last + flat[offset++]!
        last = row[i]!
      }
    return row
  })
  return { sampleRate, samples, rows }
}

/**
 * A pixel that is no whole number of stored ones also has the sound of those at its ends.
 *
 * @throws {ParameterError} when `samplesPerPixel` is less than what is stored
 */
export function zoomWaveform(
  peaks: WaveformPeaks,
  { samplesPerPixel, band }: WaveformOptions,
): Waveform {
  const stored = band === undefined ? PIXEL.whole : PIXEL.band
  const zoom = samplesPerPixel ?? stored
  if (!Number.isSafeInteger(zoom) || zoom < stored)
    throw invalidParameter(
      'samplesPerPixel',
      `${zoom} is finer than what is stored; give ${stored} or more${band === undefined ? '' : ' for a band'}.`,
    )
  const { sampleRate, samples, rows } = peaks
  const row = rows[band === undefined ? 0 : 1 + WAVEFORM_BANDS.names.indexOf(band)]!
  const length = Math.ceil(samples / zoom)
  const data: number[] = []
  const rms: number[] = []
  for (let pixel = 0; pixel < length; pixel++) {
    const firstStored = Math.floor((pixel * zoom) / stored)
    const endStored = Math.min(row.length / PIXEL_BYTES, Math.ceil(((pixel + 1) * zoom) / stored))
    let [low, high, squares] = [127, -128, 0]
    for (
      let offset = PIXEL_BYTES * firstStored;
      offset < PIXEL_BYTES * endStored;
      offset += PIXEL_BYTES
    ) {
      low = Math.min(low, (row[offset]! << 24) >> 24)
      high = Math.max(high, (row[offset + 1]! << 24) >> 24)
      squares += row[offset + 2]! ** 2
    }
    data.push(low, high)
    rms.push(Math.round(Math.sqrt(squares / (endStored - firstStored))))
  }
  return { sampleRate, samplesPerPixel: zoom, bits: 8, length, data, rms }
}

/** What the two exports need of a waveform. */
export type WaveformPixels = Pick<
  Waveform,
  'sampleRate' | 'samplesPerPixel' | 'bits' | 'length' | 'data'
>

const DAT_HEADER = 20

/**
 * A waveform as a `.dat` file of audiowaveform: version 1 of its format, 8 bit, little-endian.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toAudiowaveformDat } from 'audile/analysis'
 *
 * await writeFile('song.dat', toAudiowaveformDat(await track.waveform({ samplesPerPixel: 512 })))
 * ```
 */
export function toAudiowaveformDat(waveform: WaveformPixels): Uint8Array<ArrayBuffer> {
  const { sampleRate, samplesPerPixel, length, data } = waveform
  const bytes = new Uint8Array(DAT_HEADER + data.length)
  const view = new DataView(bytes.buffer)
  const isEightBit = 1
  const fields = [1, isEightBit, sampleRate, samplesPerPixel, length]
  for (const [i, field] of fields.entries()) view.setUint32(4 * i, field, true)
  new Int8Array(bytes.buffer, DAT_HEADER).set(data)
  return bytes
}

/**
 * A waveform as the text of a JSON file of audiowaveform: version 2 of its format, one channel.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toAudiowaveformJson } from 'audile/analysis'
 *
 * await writeFile('song.json', toAudiowaveformJson(await track.waveform({ samplesPerPixel: 512 })))
 * ```
 */
export function toAudiowaveformJson(waveform: WaveformPixels): string {
  const { sampleRate, samplesPerPixel, bits, length, data } = waveform
  return JSON.stringify({
    version: 2,
    channels: 1,
    sample_rate: sampleRate,
    samples_per_pixel: samplesPerPixel,
    bits,
    length,
    data,
  })
}
