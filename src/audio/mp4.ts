import { DecodeError } from '../errors.ts'
import { awake } from './awake.ts'
import { type ByteSource, pieces } from './byte-source.ts'
import { checkMp4, type Mp4Layout } from './mp4-atoms.ts'
import { chunkOffset } from './mp4-tables.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'
import { quietly } from './quiet.ts'

const STEP_BYTES = 16_384
/** Seconds that a codec's delay and padding may take of what the tables say. */
const SLACK = 0.2

interface Decoded {
  channelData: Float32Array[]
  sampleRate: number
}

/** What audile uses of the optional package @audio/decode-mp4. */
interface Mp4Package {
  decoder(): Promise<{
    decode(bytes: Uint8Array): Decoded | Promise<Decoded>
    flush(): Decoded | Promise<Decoded>
    free(): void
  }>
}

/**
 * MP4, M4A and QuickTime with AAC, ALAC and more by the optional package @audio/decode-mp4, in this
 * thread, after `checkMp4`.
 *
 * Streams wherever the tables stand: the decoder gets a copy of the moov first, its chunk offsets
 * moved to fit, then the file from its first chunk on. The encoder's delay and padding are removed
 * by the package, as the edit list or iTunSMPB says.
 */
export async function openMp4(source: ByteSource): Promise<PcmStream> {
  const layout = await checkMp4(source)
  const mp4 = await loadPackage()
  if (!mp4) throw noMp4Decoder(layout)
  const blocks = counted(layout, run(source, layout, mp4))
  return { ...mp4Stream(layout), decoder: '@audio/decode-mp4', blocks }
}

/** The blocks; returns whether there are fewer than the tables say, which decoders keep to themselves. */
export async function* counted(
  { truncated, presented }: Mp4Layout,
  blocks: AsyncIterable<PcmBlock>,
): AsyncGenerator<PcmBlock, boolean, void> {
  let seconds = 0
  for await (const block of blocks) {
    seconds += (block.channels[0]?.length ?? 0) / block.sampleRate
    yield block
  }
  return truncated || seconds < presented - SLACK
}

/** The parts of a stream that the tables alone tell. The decoder may come to another rate (SBR). */
export function mp4Stream({
  codec,
  seconds,
}: Mp4Layout): Pick<PcmStream, 'container' | 'codec' | 'seconds'> {
  const name = codec.trim().replace('.', '').toLowerCase()
  return { container: 'mp4', codec: name === 'mp4a' ? 'aac' : name, seconds }
}

/** Whether the optional package is installed. */
export async function hasMp4Package(): Promise<boolean> {
  return (await loadPackage()) !== undefined
}

export function noMp4Decoder(layout: Mp4Layout): NoDecoder {
  return new NoDecoder(
    'mp4',
    mp4Stream(layout).codec.toUpperCase(),
    'Install the optional package @audio/decode-mp4 (GPL-2.0 parts)',
  )
}

// Held in a variable, the name is no import that TypeScript or a bundler would try to resolve;
// webpack, which would resolve it to nothing, is told to leave it.
const PACKAGE = '@audio/decode-mp4'

async function loadPackage(): Promise<Mp4Package | undefined> {
  try {
    return (await awake(import(/* webpackIgnore: true */ PACKAGE))) as Mp4Package
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
  const decoder = await awake(mp4.decoder())
  try {
    for await (const bytes of rearranged(source, layout)) {
      // A promise only while the codec is loaded.
      const decoded = quietly(() => decoder.decode(bytes))
      const block = decoded instanceof Promise ? await awake(decoded) : decoded
      if (block.channelData[0]?.length) yield asBlock(block)
    }
    const block = await quietly(() => decoder.flush())
    if (block.channelData[0]?.length) yield asBlock(block)
  } finally {
    decoder.free()
  }
}

function asBlock({ channelData, sampleRate }: Decoded): PcmBlock {
  return { channels: channelData, sampleRate }
}

async function* rearranged(source: ByteSource, layout: Mp4Layout) {
  // The samples of a fragmented file lie relative to their moof, which stands behind the moov already.
  if (layout.fragmented) {
    yield* pieces(source, STEP_BYTES)
    return
  }
  const { moov, firstChunk } = layout
  const start = Math.min(firstChunk, source.size)
  moveChunks(layout, moov.length - start)
  yield moov
  yield* pieces(source, STEP_BYTES, start)
}

function moveChunks({ moov, offsets }: Mp4Layout, by: number): void {
  const view = new DataView(moov.buffer)
  for (const { at, count, bytes } of offsets) {
    for (let i = 0; i < count; i++) {
      const entry = at + i * bytes
      const moved = chunkOffset(view, entry, bytes) + by
      if (bytes === 8) view.setUint32(entry, Math.floor(moved / 2 ** 32))
      else if (moved >= 2 ** 32) {
        throw new DecodeError('This MP4 file is over 4 GB but has 32-bit chunk offsets.')
      }
      view.setUint32(entry + bytes - 4, moved % 2 ** 32)
    }
  }
}
