import { type Sound, samplesIn } from './sounds.ts'
import type { Recipe } from './studio.ts'

type Plain = Omit<Sound, 'seed'>

/** A program with its fixed options, that turns a WAV file into such a file. */
interface Encoder {
  extension: string
  encode: (wav: string, path: string, options: readonly string[]) => readonly string[]
}

const LAME: Encoder = {
  extension: 'mp3',
  encode: (wav, path, options) => ['lame', '--quiet', ...options, wav, path],
}
const OGGENC: Encoder = {
  extension: 'ogg',
  encode: (wav, path, options) => ['oggenc', '-Q', '-s', '1', ...options, '-o', path, wav],
}
const OPUSENC: Encoder = {
  extension: 'opus',
  encode: (wav, path, options) => ['opusenc', '--quiet', '--serial', '1', ...options, wav, path],
}

const MP3_RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 48_000]
const EDGES: readonly [string, Plain][] = [
  ['one-sample', { frames: 1 }],
  ['100-samples', { frames: 100 }],
  ['head', { head: 30_000, frames: 60_000 }],
  ['tail', { tail: 30_000, frames: 60_000 }],
  ['silence', { kind: 'silence' }],
  ['loud', { kind: 'extremes' }],
]
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8]

export function lossyRecipes(): Recipe[] {
  return [
    ...MP3_RATES.flatMap((rate) => [
      by(LAME, `${rate}-hz`, { rate }),
      by(LAME, `${rate}-hz-vbr-mono`, { rate, channels: 1 }, ['-V', '5']),
    ]),
    ...[0, 2, 5, 9].map((level) => by(LAME, `v${level}`, {}, ['-V', `${level}`])),
    ...[32, 64, 192, 320].map((rate) =>
      by(LAME, `${rate}-kbit`, {}, ['-b', `${rate}`, '--resample', '44.1']),
    ),
    ...['m', 's', 'j', 'd', 'f'].map((mode) => by(LAME, `mode-${mode}`, {}, ['-m', mode])),
    by(LAME, 'abr', {}, ['--abr', '150']),
    by(LAME, 'no-head', {}, ['-t']),
    by(LAME, 'no-head-vbr', {}, ['-t', '-V', '4']),
    by(LAME, 'checksums', {}, ['-p']),
    by(LAME, 'no-reservoir', {}, ['--nores']),
    ...EDGES.map(([name, sound]) => by(LAME, name, sound)),
    ...Array.from({ length: 12 }, (_, i) => by(OGGENC, `q${i - 1}`, {}, ['-q', `${i - 1}`])),
    ...[8000, 11_025, 22_050, 32_000, 48_000, 96_000, 192_000].map((rate) =>
      by(OGGENC, `${rate}-hz`, { rate }),
    ),
    ...COUNTS.map((channels) => by(OGGENC, `${channels}-channels`, { channels })),
    by(OGGENC, 'managed', {}, ['--managed', '-b', '96']),
    ...EDGES.map(([name, sound]) => by(OGGENC, name, sound)),
    ...['2.5', '5', '10', '20', '40', '60'].map((ms) =>
      by(OPUSENC, `${ms}-ms`, { rate: 48_000 }, ['--framesize', ms]),
    ),
    ...[6, 12, 24, 64, 256].map((rate) =>
      by(OPUSENC, `${rate}-kbit`, {}, ['--bitrate', `${rate}`]),
    ),
    ...[8000, 12_000, 16_000, 24_000, 96_000].map((rate) => by(OPUSENC, `${rate}-hz`, { rate })),
    ...COUNTS.map((channels) => by(OPUSENC, `${channels}-channels`, { channels, rate: 48_000 })),
    by(OPUSENC, 'hard-cbr', {}, ['--hard-cbr', '--max-delay', '0']),
    by(OPUSENC, 'speech', { rate: 16_000, channels: 1 }, ['--speech', '--bitrate', '10']),
    ...EDGES.map(([name, sound]) => by(OPUSENC, name, sound)),
    ...mp4Recipes(),
  ]
}

function mp4Recipes(): Recipe[] {
  const fragments = ['-movflags', '+frag_keyframe+empty_moov', '-frag_duration', '300000']
  return [
    ...[8000, 11_025, 16_000, 22_050, 24_000, 32_000, 48_000, 96_000].map((rate) =>
      mp4(`aac-${rate}-hz`, { rate }, ['-c:a', 'aac']),
    ),
    ...[1, 2, 3, 4, 5, 6].map((channels) =>
      mp4(`aac-${channels}-channels`, { channels }, ['-c:a', 'aac', '-b:a', `${64 * channels}k`]),
    ),
    ...['aac', 'alac'].flatMap((codec) => [
      mp4(`${codec}-fragments`, { frames: 100_000 }, ['-c:a', codec, ...fragments]),
      mp4(`${codec}-fast-start`, {}, ['-c:a', codec, '-movflags', '+faststart']),
      mp4(`${codec}-mov`, {}, ['-c:a', codec, '-f', 'mov']),
      mp4(`${codec}-mp4`, {}, ['-c:a', codec, '-f', 'mp4']),
      ...EDGES.map(([name, sound]) => mp4(`${codec}-${name}`, sound, ['-c:a', codec])),
    ]),
    ...[8000, 48_000, 96_000, 192_000].map((rate) =>
      mp4(`alac-${rate}-hz`, { rate }, ['-c:a', 'alac']),
    ),
    ...COUNTS.map((channels) => mp4(`alac-${channels}-channels`, { channels }, ['-c:a', 'alac'])),
    ...[1, 2, 6].map((channels) =>
      mp4(`alac-24-bits-${channels}`, { channels, bits: 24 }, [
        ...['-c:a', 'alac', '-sample_fmt', 's32p', '-bits_per_raw_sample', '24'],
      ]),
    ),
    mp4('alac-extremes', { kind: 'extremes' }, ['-c:a', 'alac']),
  ]
}

function by(encoder: Encoder, name: string, sound: Plain, options: readonly string[] = []): Recipe {
  const { extension, encode } = encoder
  return {
    name: `${extension}/${name}.${extension}`,
    async make(studio, path) {
      const [program = '', ...args] = encode(studio.wav(sound), path, options)
      await studio.tool(program, ...args)
    },
  }
}

function mp4(name: string, sound: Plain, options: readonly string[]): Recipe {
  return {
    name: `mp4/${name}.m4a`,
    // ffmpeg leaves the padding behind AAC, of which a block is 128 ms at 8,000 Hz.
    written: { frames: samplesIn(sound) },
    make: (studio, path) => studio.ffmpeg(studio.wav(sound), path, ...options),
  }
}
