import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { hidesAlbum, isDocumented, isLossless } from './documented.ts'
import type { Reference } from './facts.ts'

/** What a program printed and how it ended. */
export interface Ran {
  code: number | null
  stdout: Buffer
  stderr: string
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([
    gather(child.stdout),
    gather(child.stderr),
    ended(child),
  ])
  return { code, stdout, stderr: stderr.toString() }
}

/** @throws {Error} in words for a person, when one of them cannot be run */
export async function requirePrograms(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await run(name, ['-version']).catch(() => {
      throw new Error(
        `${name} cannot be run here. Install it (Debian: apt-get install ffmpeg flac sox lame ` +
          'opus-tools vorbis-tools), or compare with recorded facts: --expected FILE.',
      )
    })
  }
}

/** What the host's ffprobe says of a file before it is decoded. */
export interface Probe {
  container: string
  codec: string
  sampleRate: number
  channels: number
  /** The file names its speakers, or they are plain: mono and stereo. */
  speakersKnown: boolean
  /** Samples per channel that the head of the file states, or what ffprobe estimates by it. */
  stated: number
  tags: Record<string, string>
}

/** Asks ffprobe; undefined when it finds no sound. */
export async function probe(path: string): Promise<Probe | undefined> {
  const show = ['-show_format', '-show_streams', '-select_streams', 'a:0', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...show, `file:${path}`])
  const { format, streams } = JSON.parse(stdout.toString() || '{}') as {
    format?: { format_name: string; tags?: Record<string, string> }
    streams?: {
      codec_name?: string
      sample_rate?: string
      channels?: number
      channel_layout?: string
      duration?: string
      tags?: Record<string, string>
    }[]
  }
  const stream = streams?.[0]
  if (!format || !stream) return undefined
  const tags = Object.entries({ ...stream.tags, ...format.tags })
  const { channels = 0, channel_layout = 'unknown' } = stream
  const sampleRate = Number(stream.sample_rate ?? 0)
  return {
    container: format.format_name,
    codec: stream.codec_name ?? 'unknown',
    sampleRate,
    channels,
    speakersKnown: channels <= 2 || channel_layout !== 'unknown',
    stated: Math.round(Number(stream.duration ?? 0) * sampleRate),
    tags: Object.fromEntries(tags.map(([name, value]) => [name.toLowerCase(), value])),
  }
}

/** A file that the host's ffmpeg decodes: its samples while they come, then what it says of them. */
export interface Playing {
  /** Interleaved little-endian 32-bit floats. */
  samples: AsyncIterable<Uint8Array>
  /** To be asked after the last sample. */
  heard: () => Promise<Heard>
}

export interface Heard {
  frames: number
  /** Null: silent, or too short. */
  loudness: number | null
  /** Lines of error. */
  complaints: string[]
}

/** Decodes a file by the host's ffmpeg and measures its loudness on the way. */
export function play(path: string, { channels }: Pick<Probe, 'channels'>): Playing {
  const meter = [...bs1770(channels), 'ebur128=metadata=1', PRINT].join(',')
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-i', `file:${path}`],
      ...['-map', '0:a:0', '-c:a', 'pcm_f32le', '-f', 'f32le', 'pipe:1'],
      ...['-map', '0:a:0', '-af', meter, '-f', 'null', '-'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  )
  const done = ended(child)
  const errors = gather(child.stderr as Readable)
  const meters = gather(child.stdio[3] as Readable)
  // Streams kept from now on: what is not being read when a child ends, Node throws away.
  const sound = (child.stdout as Readable).pipe(new PassThrough())
  let bytes = 0
  const samples = async function* () {
    for await (const chunk of sound as AsyncIterable<Buffer>) {
      bytes += chunk.length
      yield chunk
    }
  }
  return {
    samples: samples(),
    async heard() {
      const [code, stderr, text] = await Promise.all([done, errors, meters])
      const complaints = stderr.toString().split('\n').filter(Boolean)
      if (code !== 0 && complaints.length === 0) complaints.push(`ffmpeg ended with ${code}`)
      const last = [...text.toString().matchAll(/lavfi\.r128\.I=(\S+)/g)].at(-1)?.[1]
      const loudness = last === undefined || Number(last) <= -70 ? null : Number(last)
      return { frames: bytes / 4 / Math.max(1, channels), loudness, complaints }
    },
  }
}

/** Seconds by which a file is shorter than it says when it counts as cut; ffmpeg is silent on that. */
const CUT = 0.06

const PRINT = "ametadata=mode=print:key=lavfi.r128.I:file='pipe\\:3'"

/**
 * ffmpeg's ebur128 counts speakers behind the listener 1.41, which BS.1770-4 and later give to those
 * at the sides alone. Those behind are called front speakers here, which count 1.
 */
function bs1770(channels: number): string[] {
  // Some files do not tell even this, and without it ebur128 fails.
  if (channels === 2) return ['channelmap=0|1:stereo']
  if (channels === 7) return ['channelmap=0|1|2|3|4|5|6:FL+FR+FC+LFE+FLC+SL+SR']
  if (channels === 8) return ['channelmap=0|1|2|3|4|5|6|7:FL+FR+FC+LFE+FLC+FRC+SL+SR']
  return []
}

/** What ffmpeg says of a file, once it has played. */
export function referenceOf(found: Probe, heard: Heard, withFfmpeg: boolean): Reference {
  const { container, codec, tags } = found
  const documented = withFfmpeg || isDocumented(container, codec)
  const reference: Reference = {
    demand: documented ? 'read' : 'may refuse',
    by: 'ffmpeg',
    format: `${container.split(',')[0]} (${codec})`,
    lossless: isLossless(codec),
    damaged: (found.stated - heard.frames) / found.sampleRate > CUT,
    channels: found.channels,
    sampleRate: found.sampleRate,
    frames: heard.frames,
    // Of unknown speakers ffmpeg guesses which is for the bass, and leaves that one out.
    ...(found.speakersKnown && { loudness: heard.loudness }),
    title: tags.title ?? null,
    artist: tags.artist ?? null,
    ...(!(hidesAlbum(container) && tags.album === undefined) && { album: tags.album ?? null }),
  }
  if (container === 'flac' && found.stated > 0 && found.stated !== heard.frames) {
    return {
      ...reference,
      ...unjudged(`ffmpeg decodes ${heard.frames} of ${found.stated} samples`),
    }
  }
  if (heard.frames === 0) return { ...reference, ...unjudged('ffmpeg decodes no sample') }
  if (heard.complaints[0] !== undefined) {
    return { ...reference, ...unjudged(`ffmpeg complains: ${heard.complaints[0]}`) }
  }
  return reference
}

/** Of a file in which ffprobe finds no sound. */
export function noSound(): Reference {
  const format = 'no sound by ffprobe'
  return { ...unjudged(format), by: 'ffmpeg', format, lossless: false, channels: 0, sampleRate: 0 }
}

function unjudged(complaint: string): Pick<Reference, 'demand' | 'complaint'> {
  return { demand: 'nothing', complaint }
}

/**
 * Decodes FLAC by the tool `flac`, where ffmpeg does not: 32 bits before ffmpeg 6, and the end of
 * some streams that end in silence. Hands the result to `use`; undefined when `flac` refuses it too.
 */
export async function byFlac<T>(
  path: string,
  use: (wav: string) => Promise<T>,
): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-conformance-'))
  try {
    const wav = join(folder, 'decoded.wav')
    const { code } = await run('flac', ['-d', '-s', '-o', wav, path])
    return code === 0 ? await use(wav) : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code))
  })
}

async function gather(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
