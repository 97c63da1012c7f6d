import { loadPackage } from '../kernel/load-package.ts'
import type { ByteSource } from './bytes.ts'
import { keepAwake, quietly } from './decoder-host.ts'
import { atomOf } from './mp4-atoms.ts'
import { type Mp4Layout, readMp4 } from './mp4-movie.ts'
import { itemList } from './mp4-tags.ts'
import { framesIn, NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'
import { ALAC_ORDER, inWaveOrder } from './samples.ts'

/** Bytes read at once. */
const STEP_BYTES = 16_384
/** Samples of AAC that the decoder never returns: nothing overlaps the first frame. */
const WITHHELD = 1024
/** Seconds by which a codec's delay and padding may shorten what the tables state. */
const SLACK = 0.2

// A variable, because TypeScript and bundlers would try to resolve a literal import. webpack would
// resolve the variable to nothing, so `webpackIgnore` tells it not to.
const PACKAGE = '@audio/decode-mp4'

interface Decoded {
  channelData: Float32Array[]
  sampleRate: number
}

/** The part of the package that audile uses. */
interface Mp4Package {
  decoder(): Promise<{
    decode(bytes: Uint8Array): Decoded | Promise<Decoded>
    flush(): Decoded | Promise<Decoded>
    free(): void
  }>
}

/**
 * MP4, M4A and QuickTime with AAC, ALAC and more, decoded in this thread by the optional package
 * @audio/decode-mp4.
 *
 * Streams wherever the tables are in the file: the package gets a file with only the sound, a new
 * moov and then the samples in order. It removes the encoder's delay and padding as the edit list or
 * iTunSMPB states.
 */
export async function openMp4(source: ByteSource): Promise<PcmStream> {
  const layout = await readMp4(source)
  const mp4 = await loadMp4Package()
  if (!mp4) throw noMp4Decoder(layout)
  const blocks = checkedLength(layout, run(source, layout, mp4))
  return { ...mp4Stream(layout), blocks }
}

/** The blocks; returns whether they are shorter than the tables state: the decoder does not. */
export async function* checkedLength(
  { truncated, presented }: Mp4Layout,
  blocks: AsyncIterable<PcmBlock>,
): AsyncGenerator<PcmBlock, boolean, void> {
  let seconds = 0
  for await (const block of blocks) {
    seconds += framesIn(block) / block.sampleRate
    yield block
  }
  return truncated || seconds < presented - SLACK
}

/** What the tables state about a stream, but not the rate: with SBR the decoder's rate differs. */
export function mp4Stream({
  codec,
  seconds,
}: Mp4Layout): Pick<PcmStream, 'container' | 'codec' | 'decoder' | 'seconds'> {
  const name = codec.trim().replace('.', '').toLowerCase()
  return { container: 'mp4', codec: name === 'mp4a' ? 'aac' : name, decoder: PACKAGE, seconds }
}

export function noMp4Decoder(layout: Mp4Layout): NoDecoder {
  return new NoDecoder(
    'mp4',
    mp4Stream(layout).codec.toUpperCase(),
    'Install the optional package @audio/decode-mp4 (GPL-2.0 parts)',
  )
}

/** @returns undefined where the package is not installed */
export async function loadMp4Package(): Promise<Mp4Package | undefined> {
  try {
    return await keepAwake(
      loadPackage<Mp4Package>(PACKAGE, () => import(/* webpackIgnore: true */ PACKAGE)),
    )
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function* run(
  source: ByteSource,
  layout: Mp4Layout,
  mp4: Mp4Package,
): AsyncGenerator<PcmBlock, void, void> {
  if (layout.sizes.length === 0) return
  const decoder = await keepAwake(mp4.decoder())
  let lead = withheld(layout)
  function* blocksOf({ channelData, sampleRate }: Decoded): Generator<PcmBlock> {
    if (!channelData[0]?.length) return
    const silence = Math.round(lead * sampleRate)
    lead = 0
    if (silence > 0) {
      yield { channels: channelData.map(() => new Float32Array(silence)), sampleRate }
    }
    const channels = layout.codec === 'alac' ? inWaveOrder(channelData, ALAC_ORDER) : channelData
    yield { channels, sampleRate }
  }
  try {
    for await (const bytes of rearranged(source, layout)) {
      // A promise only while the codec is loading. Under Jest it belongs to another realm.
      const decoded = quietly(() => decoder.decode(bytes))
      yield* blocksOf('then' in decoded ? await keepAwake(decoded) : decoded)
    }
    yield* blocksOf(await quietly(() => decoder.flush()))
  } finally {
    decoder.free()
  }
}

/** Seconds that the decoder withholds although the edit list presents them. */
function withheld({ codec, edit, scale, sampleRate }: Mp4Layout): number {
  if (codec !== 'mp4a' || !edit || sampleRate === 0) return 0
  return Math.max(0, WITHHELD / sampleRate - edit.start / scale.media)
}

/** The sound as a separate file: a moov with one track, then the samples as one chunk. */
async function* rearranged(source: ByteSource, layout: Mp4Layout) {
  yield movieOf(layout, movieOf(layout, 0).length)
  const { places } = layout
  let window = { start: 0, bytes: new Uint8Array(0) }
  for (let i = 0; i < places.length; i += 2) {
    const end = places[i]! + places[i + 1]!
    for (let at = places[i]!; at < end; ) {
      // Samples of sound are small and, even between those of other tracks, close together.
      if (at < window.start || at >= window.start + window.bytes.length) {
        window = { start: at, bytes: await source.read(at, STEP_BYTES) }
        if (window.bytes.length === 0) return
      }
      const piece = window.bytes.subarray(at - window.start, end - window.start)
      yield piece
      at += piece.length
    }
  }
}

function movieOf(layout: Mp4Layout, chunk: number): Buffer {
  const { scale, sizes, units, edit, gapless, descriptions } = layout
  const count = sizes.length
  const table = atomOf(
    'stbl',
    descriptions,
    atomOf('stts', words(0, ...lasting(units))),
    atomOf('stsc', words(0, 1, 1, count, 1)),
    atomOf('stsz', words(0, 0, count), bigEndian(sizes)),
    atomOf('stco', words(0, 1, chunk)),
  )
  const media = atomOf(
    'mdia',
    atomOf('mdhd', words(0, 0, 0, scale.media, 0, 0)),
    atomOf('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
    atomOf('minf', table),
  )
  const track = [atomOf('tkhd', words(7, 0, 0, 1), Buffer.alloc(68))]
  if (edit) {
    const lead = withheld(layout)
    const start = edit.start + Math.round(lead * scale.media)
    const duration = Math.max(
      Math.min(1, edit.duration),
      edit.duration - Math.round(lead * scale.movie),
    )
    const times = [...long(duration), ...long(start)]
    const list = words(0x01000000, 1, ...times, 65_536)
    track.push(atomOf('edts', atomOf('elst', list)))
  }
  const parts = [
    atomOf('mvhd', words(0, 0, 0, scale.movie), Buffer.alloc(84)),
    atomOf('trak', ...track, media),
  ]
  if (gapless.length > 0) parts.push(itemList(gapless))
  return atomOf('moov', ...parts)
}

/** The entries of an stts table whose times add up to so many units. */
function lasting(units: number): number[] {
  const [high, low] = long(units)
  const table = [1, low]
  return high > 0 ? [2, high * 2, 0x80000000, ...table] : [1, ...table]
}

function long(value: number): [number, number] {
  return [Math.floor(value / 2 ** 32), value % 2 ** 32]
}

function words(...values: number[]): Buffer {
  return bigEndian(values)
}

function bigEndian(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i]!, 4 * i)
  return bytes
}
