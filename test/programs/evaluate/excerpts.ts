import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeded, seedOf } from '../../support/chance.ts'
import {
  chatter,
  encode,
  ffmpeg,
  inRoom,
  loudness,
  mix,
  type Room,
  run,
  SAMPLE_RATE,
  samplesOf,
} from './excerpt-audio.ts'

/** A file of the corpus. */
export interface Piece {
  id: string
  /** Relative to the corpus' folder. */
  file: string
  /** Seconds. */
  duration: number
  /** Constants may be chosen on pieces of the part `tune`: they get no kinds that are held out. */
  split?: string
  /** `sparse`: music that says little; its results are told apart. */
  tags?: readonly string[]
}

/** An excerpt to identify. */
export interface Query {
  id: string
  file: string
  kind: string
  /** The piece it is of; null if that is not in the index. */
  truth: string | null
  /** Seconds. */
  duration: number
}

/** The pieces of a corpus. */
export function piecesIn(corpus: string): Piece[] {
  return JSON.parse(readFileSync(join(corpus, 'corpus.json'), 'utf8')) as Piece[]
}

/** How an excerpt is made. At most one of the changes. */
interface Kind {
  /** Of the excerpt; its source is longer where it is played faster. 0: the whole piece. */
  seconds: number
  /** Tempo or speed: the source lasts this many times as long. */
  rate?: number
  /** What turns one wave file into another. */
  change?: (input: string, output: string) => readonly [program: string, ...args: string[]]
  /** ffmpeg's filters. */
  filter?: string
  room?: Room
  /** Noise that comes and goes like syllables, so many decibels below the music. */
  chatter?: number
  /** ffmpeg's options of the encoder; mp3 at 128 kbit/s if there are none. */
  encoder?: readonly [extension: string, ...args: string[]]
  /** Nothing may be tuned on it: made of no piece of the part `tune`. */
  held?: true
}

const rubberband =
  (...args: string[]) =>
  (input: string, output: string) =>
    ['rubberband', '-q', ...args, input, output] as const
const sox =
  (...effect: string[]) =>
  (input: string, output: string) =>
    ['sox', '-D', input, output, ...effect] as const

function pitched(semitones: number): Kind {
  return { seconds: 20, change: rubberband('-p', String(semitones)) }
}

function paced(rate: number): Kind {
  return { seconds: 20, rate, change: rubberband('-T', String(rate)) }
}

function sped(rate: number): Kind {
  const filter = `asetrate=${Math.round(SAMPLE_RATE * rate)},aresample=${SAMPLE_RATE}`
  return { seconds: 20, rate, filter }
}

/** Kinds of excerpts besides those of the corpus' script. */
const KINDS: Readonly<Record<string, Kind>> = {
  clean3: { seconds: 3 },
  clean5: { seconds: 5 },
  'pitch_p0.5': pitched(0.5),
  'pitch_m0.5': pitched(-0.5),
  pitch_p1: pitched(1),
  pitch_m1: pitched(-1),
  tempo_p3: paced(1.03),
  tempo_m3: paced(0.97),
  tempo_p6: paced(1.06),
  tempo_m6: paced(0.94),
  both_p1_m4: { seconds: 20, rate: 0.96, change: rubberband('-p', '1', '-T', '0.96') },
  speed_m1: sped(0.99),
  speed_p7: sped(1.07),
  speed_m7: sped(0.93),
  // Other programs, other rooms, other damage.
  speed_p8_sox: { seconds: 20, rate: 1.08, change: sox('speed', '1.08'), held: true },
  speed_m8_sox: { seconds: 20, rate: 0.92, change: sox('speed', '0.92'), held: true },
  pitch_m1_sox: { seconds: 20, change: sox('pitch', '-100'), held: true },
  tempo_p5_sox: { seconds: 20, rate: 1.05, change: sox('tempo', '-m', '1.05'), held: true },
  'both_m0.7_p5': {
    seconds: 20,
    rate: 1.05,
    change: sox('pitch', '-70', 'tempo', '-m', '1.05'),
    held: true,
  },
  room10_other: {
    seconds: 10,
    room: { reverberation: [0.35, 0.7], over: 12 },
    filter: 'highpass=f=180,lowpass=f=6500',
    encoder: ['mp3', '-b:a', '64k'],
    held: true,
  },
  chatter6: { seconds: 20, chatter: 6, held: true },
  clipped: { seconds: 20, filter: 'volume=14dB,aformat=sample_fmts=s16', held: true },
  wow: { seconds: 20, filter: 'vibrato=f=0.6:d=0.06', held: true },
  opus16: { seconds: 20, encoder: ['ogg', '-c:a', 'libopus', '-b:a', '16k'], held: true },
}

/** Root mean square below which an excerpt says nothing. */
const SILENT = 1e-4
/** Seconds cut off the start of a file. */
const TRIMMED = 4.3
/** Whole files again: extension, and what ffmpeg is told before and after the input. */
const ENCODINGS: Readonly<Record<string, readonly [string, string[], string[]]>> = {
  'whole mp3 64k': ['mp3', [], ['-c:a', 'libmp3lame', '-b:a', '64k']],
  'whole vorbis': ['ogg', [], ['-c:a', 'libvorbis', '-q:a', '3']],
  'whole aac': ['m4a', [], ['-c:a', 'aac', '-b:a', '96k']],
  'whole, trimmed': ['mp3', ['-ss', String(TRIMMED)], ['-c:a', 'libmp3lame', '-b:a', '128k']],
}

/** Kinds that nothing was tuned on. */
export function isHeldOut(kind: string): boolean {
  return KINDS[kind]?.held === true
}

/** Whole pieces, encoded anew. */
export function isWhole(kind: string): boolean {
  return kind in ENCODINGS
}

/** Kinds that a table of this program has and the corpus' script has not. */
export function isOurs(kind: string): boolean {
  return kind in KINDS && kind !== 'speed_m1'
}

export interface Making {
  /** The corpus' folder. */
  corpus: string
  /** Where the excerpts go; more.json there tells that they are complete. */
  folder: string
  seed: string
  /** The pieces to make excerpts of. */
  pieces: readonly Piece[]
  /** Ids of the pieces that the index holds. */
  known: ReadonlySet<string>
  /** So many of the pieces are encoded anew as a whole, evenly spread. */
  whole: number
}

/**
 * Makes the excerpts of all kinds once; later calls read what is there. The same seed has the same
 * places, rooms and noise. Kinds whose program the machine lacks are left out.
 */
export function excerptsOf(making: Making): Query[] {
  const list = join(making.folder, 'more.json')
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8')) as Query[]
  mkdirSync(making.folder, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'audile-excerpts-'))
  const queries: Query[] = []
  try {
    for (const piece of making.pieces) {
      for (const [kind, how] of Object.entries(KINDS)) {
        if (how.held && piece.split === 'tune') continue
        const query = excerptOf(piece, kind, how, making, scratch)
        if (query) queries.push(query)
      }
    }
    for (const piece of spread(making.pieces, making.whole)) {
      for (const kind of Object.keys(ENCODINGS)) queries.push(wholeOf(piece, kind, making))
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  writeFileSync(list, JSON.stringify(queries, null, 0).replace(/},/g, '},\n'))
  return queries
}

/** So many of a list, evenly spread. */
export function spread<T>(list: readonly T[], most: number): T[] {
  const count = Math.min(most, list.length)
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]!)
}

function wholeOf(piece: Piece, kind: string, { corpus, folder, known }: Making): Query {
  const [extension, before, after] = ENCODINGS[kind]!
  const id = `${piece.id}__${kind}`
  const file = nameOf(id, extension)
  const to = join(folder, file)
  if (!existsSync(to)) ffmpeg([...before, '-i', join(corpus, piece.file), '-vn', ...after, to])
  const truth = known.has(piece.id) ? piece.id : null
  return { id, file, kind, truth, duration: piece.duration }
}

function excerptOf(
  piece: Piece,
  kind: string,
  how: Kind,
  { corpus, folder, seed, known }: Making,
  scratch: string,
): Query | undefined {
  const id = `${piece.id}__${kind}`
  const [extension, ...encoder] = how.encoder ?? ['mp3', '-c:a', 'libmp3lame', '-b:a', '128k']
  const file = nameOf(id, extension)
  const query = { id, file, kind, truth: known.has(piece.id) ? piece.id : null }
  const random = seeded(seedOf(`${seed}|${piece.id}|${kind}`))
  const to = join(folder, file)
  const source = Math.min(how.seconds * (how.rate ?? 1), piece.duration - 1)
  const at = 2 + random() * Math.max(0, piece.duration - source - 4)
  const duration = source / (how.rate ?? 1)
  if (existsSync(to)) return { ...query, duration }
  const cut = ['-ss', at.toFixed(3), '-t', source.toFixed(3), '-i', join(corpus, piece.file)]
  let samples = samplesOf([...cut, '-vn'])
  if (loudness(samples) < SILENT) return undefined
  if (how.change) {
    const [input, output] = [join(scratch, 'in.wav'), join(scratch, 'out.wav')]
    encode(samples, ['-c:a', 'pcm_s16le', input])
    const [program, ...args] = how.change(input, output)
    if (!run(program, args)) return undefined
    samples = samplesOf(['-i', output])
  }
  if (how.room) samples = inRoom(samples, how.room, random, scratch)
  if (how.chatter !== undefined) mix(samples, chatter(samples.length, random), how.chatter)
  // Under another name first: what is there is whole.
  const part = `${to}.part.${extension}`
  encode(samples, [...(how.filter ? ['-af', how.filter] : []), ...encoder, part])
  renameSync(part, to)
  return { ...query, duration }
}

function nameOf(id: string, extension: string): string {
  return `${id.replace(/[^\w.+-]+/g, '_')}.${extension}`
}
