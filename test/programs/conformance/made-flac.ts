import { readFileSync, writeFileSync } from 'node:fs'
import { type FlacStream, flacStream } from './flac-streams.ts'
import { type Sound, samplesOf } from './sounds.ts'
import type { Recipe } from './studio.ts'
import { id3v1, id3v2 } from './tag-writers.ts'

type Plain = Omit<Sound, 'seed'>

const BLOCKS = [
  ...[16, 17, 31, 32, 33, 64, 100, 192, 255, 256, 257, 576, 1000, 1023, 1152, 2304, 4095, 4097],
  ...[4608, 9216, 16_383, 16_384, 18_432, 32_767, 32_768, 65_534, 65_535],
]
const RATES = [
  ...[8000, 11_025, 12_345, 16_000, 22_050, 24_000, 32_000, 37_800, 44_056, 48_000, 64_000],
  ...[88_200, 96_000, 176_400, 192_000],
]
/** Options of `flac` that bring out subframes and residuals of every kind. */
const CODING: readonly string[][] = [
  ...['0', '1', '2', '3', '4', '5', '6', '7', '8'].map((level) => [`-${level}`]),
  ...[
    ['-l', '32', '-8'],
    ['-l', '0', '-b', '4608'],
    ['-r', '0,0'],
    ['-r', '8,15', '-b', '32768'],
  ],
  ...[['-e', '-p', '-l', '3'], ['-q', '5'], ['-q', '15', '-l', '1'], ['-M'], ['--no-mid-side']],
  ...['constant', 'fixed', 'verbatim'].map((kind) => [`--disable-${kind}-subframes`]),
]
/** Streams that no encoder at hand writes. */
const STREAMS: readonly (FlacStream & Plain)[] = [
  ...(['left', 'right', 'mid'] as const).flatMap((stereo) =>
    [4, 8, 12, 16, 20, 24].map((bits) => ({
      ...{ subframe: 'fixed' as const, order: 2, stereo, bits, blocks: [4096] },
    })),
  ),
  ...[0, 1, 2, 3, 4].map((order) => ({ subframe: 'fixed' as const, order, blocks: [1024] })),
  ...(['rice', 'rice2', 'escape'] as const).flatMap((residual) =>
    [8, 15, 24].flatMap((bits) => [
      { subframe: 'lpc' as const, residual, bits, blocks: [1152] },
      // Noise of 24 bits only in codes that are made for such numbers: the short ones take 1 MB a frame.
      ...(bits < 24 || residual === 'rice2'
        ? [{ subframe: 'fixed' as const, residual, bits, kind: 'noise' as const, blocks: [4608] }]
        : []),
    ]),
  ),
  ...[1, 3, 7, 11].map((wasted) => ({ subframe: 'fixed' as const, wasted, blocks: [2000] })),
  { subframe: 'verbatim', wasted: 12, bits: 24, kind: 'noise', blocks: [4096] },
  { subframe: 'verbatim', bits: 32, kind: 'extremes', blocks: [4096] },
  { subframe: 'fixed', order: 1, bits: 24, kind: 'extremes', residual: 'rice2', blocks: [4096] },
  {
    subframe: 'fixed',
    order: 1,
    kind: 'extremes',
    residual: 'escape',
    stereo: 'mid',
    blocks: [99],
  },
  { subframe: 'constant', kind: 'constant', blocks: [4096] },
  { subframe: 'constant', kind: 'constant', bits: 7, blocks: [65_535], frames: 140_000 },
  { subframe: 'constant', kind: 'silence', blocks: [4096], channels: 8 },
  { subframe: 'lpc', blocks: [4096, 16, 1000, 17, 65_535], frames: 150_000 },
  { subframe: 'verbatim', blocks: [16, 17, 18], frames: 9000 },
  { subframe: 'fixed', blocks: [4608, 1152], channels: 6, frames: 30_000 },
  {
    subframe: 'fixed',
    blocks: [192, 4096],
    bits: 24,
    rate: 96_000,
    tail: 20_000,
    unknownLength: true,
  },
  { subframe: 'lpc', blocks: [4096], tail: 40_000, unknownLength: true },
  { subframe: 'verbatim', blocks: [4096], unknownLength: true },
  { subframe: 'fixed', blocks: [4096, 4095], residual: 'escape', tail: 30_000 },
]

export function flacRecipes(): Recipe[] {
  return [
    ...Array.from({ length: 29 }, (_, i) => i + 4).flatMap((bits) => [
      encoded(`${bits}-bits`, { bits }, ['-8']),
      encoded(`${bits}-bits-noise`, { bits, kind: 'noise', channels: 1, frames: 20_000 }, ['-2']),
      encoded(`${bits}-bits-tail`, { bits, channels: 1, tail: 25_000 }, ['-5']),
    ]),
    ...BLOCKS.map((size) =>
      encoded(`blocks-of-${size}`, { frames: Math.max(30_000, 2 * size + 777) }, ['-b', `${size}`]),
    ),
    ...[16, 65_535].map((size) =>
      encoded(`24-bits-blocks-of-${size}`, { bits: 24, frames: 140_000 }, ['-b', `${size}`]),
    ),
    ...CODING.map((options) =>
      encoded(`coding${options.join('').replace(/\W+/g, '-')}`, { frames: 70_000 }, options),
    ),
    ...['indep', 'left_side', 'right_side', 'mid_side'].map((mode) =>
      byFfmpeg(mode, {}, ['-ch_mode', mode]),
    ),
    ...['none', 'fixed', 'levinson', 'cholesky'].map((type) =>
      byFfmpeg(`lpc-${type}`, { bits: 24 }, ['-lpc_type', type, '-sample_fmt', 's32']),
    ),
    ...STREAMS.map((stream, i) => written(stream, i)),
    ...RATES.map((rate) => encoded(`${rate}-hz`, { rate }, ['-5'])),
    ...Array.from({ length: 8 }, (_, i) => i + 1).flatMap((channels) =>
      [16, 24].map((bits) => encoded(`${channels}-channels-${bits}`, { channels, bits }, ['-5'])),
    ),
    ...edges(),
    ...wrapped(),
  ]
}

/** Ends and beginnings of every kind: silence, one sample, less than a block, a block and one sample. */
function edges(): Recipe[] {
  const lengths = [1, 2, 3, 4, 15, 16, 17, 4095, 4096, 4097, 8192]
  return [
    ...lengths.map((frames) => encoded(`${frames}-samples`, { frames, kind: 'noise' }, ['-5'])),
    ...[1, 5].map((frames) =>
      encoded(`${frames}-silent-samples`, { frames, kind: 'silence' }, ['-5']),
    ),
    ...[1000, 4096, 10_000, 40_000].flatMap((length) => [
      encoded(`head-${length}`, { head: length }, ['-5']),
      encoded(`tail-${length}`, { tail: length, channels: 1 }, ['-5']),
    ]),
    encoded('silence', { kind: 'silence', frames: 100_000 }, ['-5']),
  ]
}

function wrapped(): Recipe[] {
  const tag = id3v2({ title: 'Not this one', artist: 'Nor this one' }, 3, 'latin1')
  const foot = id3v1({ title: 'Not this one', artist: 'Nor this one' })
  const names = ['-T', 'TITLE=Mine', '-T', 'ARTIST=Me']
  const told = { title: 'Mine', artist: 'Me', album: null }
  const around = (name: string, front: Buffer, back: Buffer): Recipe => ({
    ...encoded(name, {}, names, told),
    async make(studio, path) {
      await studio.tool('flac', '-s', '-f', ...names, '-o', path, studio.wav({}))
      writeFileSync(path, Buffer.concat([front, readFileSync(path), back]))
    },
  })
  return [
    around('id3v2-in-front', tag, Buffer.alloc(0)),
    around('two-id3v2-in-front', Buffer.concat([tag, tag]), Buffer.alloc(0)),
    around('id3v1-behind', Buffer.alloc(0), foot),
    around('id3-at-both-ends', tag, foot),
    encoded('no-padding', {}, ['--no-padding']),
    encoded('much-padding', {}, ['-P', '1000000']),
    encoded('seek-points', {}, ['-S', '0.1s']),
    encoded('no-seek-table', {}, ['--no-seektable']),
    {
      name: 'flac/no-length.flac',
      async make(studio, path) {
        writeFileSync(path, await studio.tool('flac', '-s', '-c', studio.wav({ tail: 20_000 })))
      },
    },
    ...[
      {},
      { channels: 1, tail: 30_000 },
      { channels: 6 },
      { bits: 24 },
      { bits: 12 },
      { frames: 1 },
    ].map((sound: Plain, i) => ({
      ...encoded(`ogg-${i}`, sound, ['--ogg', '--serial-number=1', ...names], told),
      name: `flac/ogg-${i}.oga`,
    })),
    {
      ...encoded('ogg-small-blocks', {}, ['--ogg', '-b', '16']),
      name: 'flac/ogg-small-blocks.oga',
    },
  ]
}

function encoded(
  name: string,
  sound: Plain,
  options: readonly string[],
  told?: Recipe['written'],
): Recipe {
  return {
    name: `flac/${name}.flac`,
    ...(told && { written: told }),
    async make(studio, path) {
      await studio.tool('flac', '-s', '-f', '--lax', ...options, '-o', path, studio.wav(sound))
    },
  }
}

function byFfmpeg(name: string, sound: Plain, options: readonly string[]): Recipe {
  return {
    name: `flac/ffmpeg-${name}.flac`,
    make: (studio, path) => studio.ffmpeg(studio.wav(sound), path, '-c:a', 'flac', ...options),
  }
}

function written(stream: FlacStream & Plain, index: number): Recipe {
  const { subframe, residual, stereo, wasted, bits = 16 } = stream
  const traits = [subframe, residual, stereo, wasted && `wasted-${wasted}`, `${bits}-bits`]
  return {
    name: `flac/stream-${index}-${traits.filter(Boolean).join('-')}.flac`,
    async make(studio, path) {
      writeFileSync(
        path,
        flacStream(samplesOf(studio.sound({ frames: 30_000, ...stream })), stream),
      )
      // The writer is ours; what it writes counts only where the reference decoder agrees.
      await studio.tool('flac', '-t', '-s', path)
    },
  }
}
