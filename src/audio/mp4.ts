import { loadPackage } from '../kernel/load-package.ts'
import type { ByteSource } from './bytes.ts'
import { keepAwake, withoutConsole } from './decoder-host.ts'
import { atomOf } from './mp4-atoms.ts'
import { type Mp4Layout, readMp4 } from './mp4-movie.ts'
import { itemList } from './mp4-tags.ts'
import { framesIn, NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'
import { ALAC_ORDER, inWaveOrder } from './samples.ts'

const MP4_STEP_BYTES = 16_384
/** AAC overlaps nothing with its first frame, so the decoder never returns it. */
const WITHHELD_SAMPLES = 1024
/** A codec's delay and padding may shorten what the tables state. */
const SLACK_SECONDS = 0.2

// A variable and `webpackIgnore`, because bundlers would try to resolve a literal import.
const DECODER_PACKAGE = '@audio/decode-mp4'

interface DecodedPiece {
  channelData: Float32Array[]
  sampleRate: number
}

interface Mp4Package {
  decoder(): Promise<{
    decode(bytes: Uint8Array): DecodedPiece | Promise<DecodedPiece>
    flush(): DecodedPiece | Promise<DecodedPiece>
    free(): void
  }>
}

/** Decodes MP4 in this thread. The optional package gets a file with only the sound. */
export async function openMp4Stream(source: ByteSource): Promise<PcmStream> {
  const layout = await readMp4(source)
  const mp4 = await loadMp4Package()
  if (!mp4) throw noMp4Decoder(layout)
  const blocks = checkLength(layout, decodeSamples(source, layout, mp4))
  return { ...mp4Stream(layout), blocks }
}

/** Returns whether the blocks are shorter than the tables state. */
export async function* checkLength(
  { truncated, presented }: Mp4Layout,
  blocks: AsyncIterable<PcmBlock>,
): AsyncGenerator<PcmBlock, boolean, void> {
  let seconds = 0
  for await (const block of blocks) {
    seconds += framesIn(block) / block.sampleRate
    yield block
  }
  return truncated || seconds < presented - SLACK_SECONDS
}

/** Not the rate: with SBR the decoder's differs. */
export function mp4Stream({
  codec,
  seconds,
}: Mp4Layout): Pick<PcmStream, 'container' | 'codec' | 'decoder' | 'seconds'> {
  const name = codec.trim().replace('.', '').toLowerCase()
  return {
    container: 'mp4',
    codec: name === 'mp4a' ? 'aac' : name,
    decoder: DECODER_PACKAGE,
    seconds,
  }
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
      loadPackage<Mp4Package>(
        DECODER_PACKAGE,
        () => import(/* webpackIgnore: true */ DECODER_PACKAGE),
      ),
    )
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function* decodeSamples(
  source: ByteSource,
  layout: Mp4Layout,
  mp4: Mp4Package,
): AsyncGenerator<PcmBlock, void, void> {
  if (layout.sizes.length === 0) return
  const decoder = await keepAwake(mp4.decoder())
  let leadSeconds = withheldSeconds(layout)
  function* blocksOf({ channelData, sampleRate }: DecodedPiece): Generator<PcmBlock> {
    if (!channelData[0]?.length) return
    const silence = Math.round(leadSeconds * sampleRate)
    leadSeconds = 0
    if (silence > 0) {
      yield { channels: channelData.map(() => new Float32Array(silence)), sampleRate }
    }
    const channels = layout.codec === 'alac' ? inWaveOrder(channelData, ALAC_ORDER) : channelData
    yield { channels, sampleRate }
  }
  try {
    for await (const bytes of rearrangeSamples(source, layout)) {
      // A promise only while the codec is loading; under Jest of another realm.
      const decoded = withoutConsole(() => decoder.decode(bytes))
      yield* blocksOf('then' in decoded ? await keepAwake(decoded) : decoded)
    }
    yield* blocksOf(await withoutConsole(() => decoder.flush()))
  } finally {
    decoder.free()
  }
}

/** Seconds that the decoder withholds although the edit list presents them. */
function withheldSeconds({ codec, edit, scale, sampleRate }: Mp4Layout): number {
  if (codec !== 'mp4a' || !edit || sampleRate === 0) return 0
  return Math.max(0, WITHHELD_SAMPLES / sampleRate - edit.start / scale.media)
}

/** The sound as a separate file: a moov with one track, then the samples as one chunk. */
async function* rearrangeSamples(source: ByteSource, layout: Mp4Layout) {
  yield makeMovie(layout, makeMovie(layout, 0).length)
  const { places } = layout
  let window = { start: 0, bytes: new Uint8Array(0) }
  for (let i = 0; i < places.length; i += 2) {
    const end = places[i]! + places[i + 1]!
    for (let offset = places[i]!; offset < end; ) {
      // Samples of sound are small and close together.
      if (offset < window.start || offset >= window.start + window.bytes.length) {
        window = { start: offset, bytes: await source.read(offset, MP4_STEP_BYTES) }
        if (window.bytes.length === 0) return
      }
      const piece = window.bytes.subarray(offset - window.start, end - window.start)
      yield piece
      offset += piece.length
    }
  }
}

function makeMovie(layout: Mp4Layout, chunk: number): Buffer {
  const { scale, sizes, units, edit, gapless, descriptions } = layout
  const count = sizes.length
  const table = atomOf(
    'stbl',
    descriptions,
    atomOf('stts', uint32Words(0, ...timeEntries(units))),
    atomOf('stsc', uint32Words(0, 1, 1, count, 1)),
    atomOf('stsz', uint32Words(0, 0, count), uint32Bytes(sizes)),
    atomOf('stco', uint32Words(0, 1, chunk)),
  )
  const media = atomOf(
    'mdia',
    atomOf('mdhd', uint32Words(0, 0, 0, scale.media, 0, 0)),
    atomOf('hdlr', uint32Words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
    atomOf('minf', table),
  )
  const track = [atomOf('tkhd', uint32Words(7, 0, 0, 1), Buffer.alloc(68))]
  if (edit) {
    const leadSeconds = withheldSeconds(layout)
    const start = edit.start + Math.round(leadSeconds * scale.media)
    const duration = Math.max(
      Math.min(1, edit.duration),
      edit.duration - Math.round(leadSeconds * scale.movie),
    )
    const times = [...splitLong(duration), ...splitLong(start)]
    const list = uint32Words(0x01000000, 1, ...times, 65_536)
    track.push(atomOf('edts', atomOf('elst', list)))
  }
  const parts = [
    atomOf('mvhd', uint32Words(0, 0, 0, scale.movie), Buffer.alloc(84)),
    atomOf('trak', ...track, media),
  ]
  if (gapless.length > 0) parts.push(itemList(gapless))
  return atomOf('moov', ...parts)
}

/** The entries of an stts table whose times add up to so many units. */
function timeEntries(units: number): number[] {
  const [high, low] = splitLong(units)
  const table = [1, low]
  return high > 0 ? [2, high * 2, 0x80000000, ...table] : [1, ...table]
}

function splitLong(value: number): [number, number] {
  return [Math.floor(value / 2 ** 32), value % 2 ** 32]
}

function uint32Words(...values: number[]): Buffer {
  return uint32Bytes(values)
}

function uint32Bytes(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i]!, 4 * i)
  return bytes
}
