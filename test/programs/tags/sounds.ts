import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlainSound, plainWave } from './chunk-files.ts'
import { type FlacSound, flacSound } from './flac-file.ts'
import { type Mp4Base, mp4Base } from './mp4-file.ts'
import { type OggSound, oggSound } from './ogg-file.ts'

/** Sounds of all formats, without tags; absent: this machine cannot make it. */
export interface Sounds {
  plain: PlainSound
  mp3?: Buffer[]
  aac?: Buffer
  flac?: FlacSound
  vorbis?: OggSound
  opus?: OggSound
  oggFlac?: OggSound
  m4a?: Mp4Base
  chapters?: Mp4Base
  alac?: Mp4Base
  mov?: Mp4Base
  /** MP4 in fragments. */
  fragmented?: Buffer
}

const SAMPLE_RATE = 16_000
const SECONDS = 1

function plainSound(): PlainSound {
  const samples = Buffer.alloc(2 * SAMPLE_RATE * SECONDS)
  for (let i = 0; i < SAMPLE_RATE * SECONDS; i++) {
    const fade = Math.exp((-3 * (i % 4000)) / 4000)
    samples.writeInt16LE(
      Math.round(9000 * fade * Math.sin((i * (5 + Math.floor(i / 4000))) / 60)),
      2 * i,
    )
  }
  return { sampleRate: SAMPLE_RATE, samples }
}

const CHAPTERS = `;FFMETADATA1
${[0, 250, 600].map((start) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 300}\ntitle=c${start}\n`).join('')}`

const EXACT = ['-fflags', '+bitexact', '-flags:a', '+bitexact']

/** Encodes the sound once for each format, by the first program that is there. */
export function makeSounds(folder: string): { sounds: Sounds; missing: string[] } {
  const plain = plainSound()
  writeFileSync(join(folder, 'sound.wav'), plainWave(plain))
  const missing: string[] = []
  const raw = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', 'pipe:0']
  const encode = (name: string, commands: readonly (readonly [string, ...string[]])[]) => {
    for (const [program, ...options] of commands) {
      try {
        const file = join(folder, name)
        execFileSync(program, [...options, file], {
          input: plain.samples,
          stdio: ['pipe', 'ignore', 'ignore'],
        })
        return readFileSync(file)
      } catch {}
    }
    missing.push(`${name} (no ${commands.map(([program]) => program).join(' or ')} that makes it)`)
    return undefined
  }
  const listed = join(folder, 'chapters.txt')
  writeFileSync(listed, CHAPTERS)
  const chapters = ['-i', listed, '-map', '0:a', '-map_chapters', '1']
  const ffmpeg = (...options: string[]): [string, ...string[]] => [
    'ffmpeg',
    ...['-v', 'error', '-y', ...raw, ...options, ...EXACT],
  ]
  const lame: [string, ...string[]] = [
    'lame',
    '--quiet',
    '-r',
    '-s',
    '16',
    '-m',
    'm',
    '-V',
    '5',
    '-',
  ]
  const cbr = encode('cbr.mp3', [
    ffmpeg('-c:a', 'libmp3lame', '-b:a', '32k', '-id3v2_version', '0', '-write_xing', '0'),
  ])
  const vbr = encode('vbr.mp3', [
    lame,
    ffmpeg('-c:a', 'libmp3lame', '-q:a', '5', '-id3v2_version', '0'),
  ])
  const mp3 = [cbr, vbr].filter((file) => file !== undefined)
  const whole = <T>(file: Buffer | undefined, read: (file: Buffer) => T): T | undefined =>
    file && read(file)
  const flacRaw = [
    '--force-raw-format',
    '--endian=little',
    '--sign=signed',
    '--channels=1',
    '--bps=16',
  ]
  const rate = `--sample-rate=${SAMPLE_RATE}`
  const flac: [string, ...string[]] = ['flac', '-s', '-f', ...flacRaw, rate, '-']
  const m4a = (name: string, ...options: string[]) =>
    whole(encode(name, [ffmpeg('-c:a', 'aac', '-b:a', '32k', ...options)]), mp4Base)
  const aac = encode('a.aac', [ffmpeg('-c:a', 'aac', '-b:a', '32k', '-f', 'adts')])
  const made: { [K in keyof Sounds]: Sounds[K] | undefined } = {
    plain,
    mp3: mp3.length > 0 ? mp3 : undefined,
    aac,
    flac: whole(encode('a.flac', [[...flac, '-o'], ffmpeg('-c:a', 'flac')]), flacSound),
    vorbis: whole(
      encode('a.ogg', [
        ['oggenc', '-Q', '-r', '-R', '16000', '-C', '1', '-B', '16', '-', '-o'],
        ffmpeg('-c:a', 'libvorbis'),
      ]),
      (file) => oggSound(file, 'vorbis'),
    ),
    opus: whole(
      encode('a.opus', [
        ['opusenc', '--quiet', '--raw', '--raw-rate', '16000', '--raw-chan', '1', '-'],
        ffmpeg('-c:a', 'libopus'),
      ]),
      (file) => oggSound(file, 'opus'),
    ),
    oggFlac: whole(
      encode('flac.oga', [[...flac, '--ogg', '-o'], ffmpeg('-c:a', 'flac', '-f', 'ogg')]),
      (file) => oggSound(file, 'flac'),
    ),
    m4a: m4a('a.m4a'),
    chapters: whole(
      encode('chapters.m4b', [ffmpeg(...chapters, '-c:a', 'aac', '-b:a', '32k', '-f', 'mp4')]),
      mp4Base,
    ),
    alac: whole(encode('alac.m4a', [ffmpeg('-c:a', 'alac')]), mp4Base),
    fragmented: encode('fragmented.m4a', [
      ffmpeg('-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'),
    ]),
    mov: whole(encode('a.mov', [ffmpeg('-c:a', 'aac', '-b:a', '32k', '-f', 'mov')]), mp4Base),
  }
  const known = Object.entries(made).filter(([, sound]) => sound !== undefined)
  return { sounds: Object.fromEntries(known) as unknown as Sounds, missing }
}
