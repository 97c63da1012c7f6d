import { readFileSync, writeFileSync } from 'node:fs'
import type { Sound } from './sounds.ts'
import type { Recipe } from './studio.ts'

type Plain = Omit<Sound, 'seed'>

const FLOATS = ['pcm_f32le', 'pcm_f64le', 'pcm_mulaw', 'pcm_alaw']
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8]
const RATES = [8000, 11_025, 16_000, 22_050, 32_000, 48_000, 88_200, 96_000, 192_000]
const LENGTHS: readonly Plain[] = [
  ...[{ frames: 1 }, { frames: 2 }, { frames: 7 }, { kind: 'silence' as const }],
  ...[{ head: 20_000 }, { tail: 20_000 }, { kind: 'extremes' as const }],
]

export function pcmRecipes(): Recipe[] {
  const big = ['pcm_s8', 'pcm_s16be', 'pcm_s24be', 'pcm_s32be', 'pcm_f32be', 'pcm_f64be']
  return [
    ...[8, 9, 12, 16, 17, 20, 23, 24, 25, 31, 32].map((bits) => plain(`${bits}-bits`, { bits })),
    ...COUNTS.flatMap((channels) =>
      [8, 16, 24].map((bits) => plain(`${channels}-channels-${bits}`, { channels, bits })),
    ),
    ...RATES.map((rate) => plain(`${rate}-hz`, { rate })),
    ...LENGTHS.flatMap((sound, i) => [
      plain(`length-${i}`, { ...sound, bits: 24, channels: 1 }),
      sox(`aiff/length-${i}.aiff`, sound),
      sox(`au/length-${i}.au`, sound),
    ]),
    ...FLOATS.flatMap((codec) =>
      [1, 6].map((channels) =>
        ffmpeg(`wav/${codec}-${channels}.wav`, { channels }, ['-c:a', codec]),
      ),
    ),
    ffmpeg('wav/rf64.wav', {}, ['-rf64', 'always']),
    // No RIFX: ffmpeg 5 reads its samples in the wrong byte order.
    {
      name: 'wav/streamed.wav',
      async make(studio, path) {
        const args = ['-v', 'error', '-nostdin', '-i', studio.wav({}), '-f', 'wav', 'pipe:1']
        writeFileSync(path, await studio.tool('ffmpeg', ...args))
      },
    },
    {
      name: 'wav/mp3-inside.wav',
      make: (studio, path) => studio.ffmpeg(studio.wav({}), path, '-c:a', 'libmp3lame'),
    },
    {
      name: 'wav/odd-and-padded.wav',
      async make(studio, path) {
        const bytes = readFileSync(studio.wav({ bits: 8, channels: 1, frames: 30_001 }))
        writeFileSync(path, Buffer.concat([bytes, Buffer.from('junk\x04\0\0\0junk', 'latin1')]))
      },
    },
    ...big.flatMap((codec) => [
      ffmpeg(`au/${codec}.au`, {}, ['-c:a', codec]),
      // AIFF of ffmpeg has no 8 bits with sign beside its plain kind.
      ffmpeg(`aiff/${codec}.aiff`, {}, ['-c:a', codec]),
    ]),
    ...['pcm_mulaw', 'pcm_alaw'].flatMap((codec) => [
      ffmpeg(`au/${codec}.au`, {}, ['-c:a', codec]),
      ffmpeg(`aiff/${codec}.aiff`, {}, ['-c:a', codec]),
    ]),
    ffmpeg('aiff/sowt.aiff', {}, ['-c:a', 'pcm_s16le']),
    ...[8, 16, 24, 32].map((bits) => sox(`aiff/sox-${bits}.aiff`, { bits })),
    ...[1, 3, 6, 8].map((channels) => sox(`aiff/sox-${channels}-channels.aiff`, { channels })),
    ...[8000, 96_000].map((rate) => sox(`aiff/sox-${rate}-hz.aifc`, { rate })),
    ...[4, 8].map((channels) => ffmpeg(`au/${channels}-channels.au`, { channels }, [])),
  ]
}

function plain(name: string, sound: Plain): Recipe {
  return {
    name: `wav/${name}.wav`,
    async make(studio, path) {
      writeFileSync(path, readFileSync(studio.wav(sound)))
    },
  }
}

function ffmpeg(name: string, sound: Plain, options: readonly string[]): Recipe {
  return { name, make: (studio, path) => studio.ffmpeg(studio.wav(sound), path, ...options) }
}

function sox(name: string, sound: Plain, options: readonly string[] = []): Recipe {
  return {
    name,
    async make(studio, path) {
      await studio.tool('sox', '-D', '-V1', studio.wav(sound), ...options, path)
    },
  }
}
