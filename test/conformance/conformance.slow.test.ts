import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isDocumented } from '../programs/conformance/documented.ts'
import type { Answer, Reference } from '../programs/conformance/facts.ts'
import { judge } from '../programs/conformance/judge.ts'
import { recipes } from '../programs/conformance/made-set.ts'
import { compareSamples } from '../programs/conformance/samples.ts'
import { samplesOf, wavOf } from '../programs/conformance/sounds.ts'
import { PACKAGE } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'

const RATE = 44_100
const SOUND = Array.from({ length: 2 }, (_, c) =>
  Float32Array.from({ length: RATE }, (_, i) => Math.fround(0.5 * Math.sin((i * (c + 1)) / 40))),
)
const FLAC: Reference = {
  demand: 'read',
  by: 'ffmpeg',
  format: 'flac (flac)',
  lossless: true,
  channels: 2,
  sampleRate: RATE,
  frames: RATE,
  loudness: -12.3,
  title: 'T.N.T.',
  artist: 'AC/DC',
  album: null,
}
const ANSWER: Answer = { duration: 1, loudness: -12.3, title: 'T.N.T.', artist: 'AC/DC' }

/** Interleaved bytes, in pieces that do not fit the samples. */
async function* piecesOf(channels: readonly Float32Array[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.alloc(4 * channels.length * (channels[0]?.length ?? 0))
  for (const [c, samples] of channels.entries())
    for (const [i, value] of samples.entries())
      bytes.writeFloatLE(value, 4 * (i * channels.length + c))
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}

async function* blocksOf(channels: readonly Float32Array[]) {
  for (let at = 0; at < (channels[0]?.length ?? 0); at += 4096)
    yield { channels: channels.map((c) => c.subarray(at, at + 4096)), sampleRate: RATE }
}

/** What is said of a decoder that gives `ours` for SOUND. */
async function heard(ours: readonly Float32Array[]): Promise<string[]> {
  const samples = await compareSamples(blocksOf(ours), piecesOf(SOUND), 2)
  return judge(FLAC, ANSWER, samples).differences
}

describe('comparing samples', () => {
  it('finds no difference between equal samples, however they are divided', async () => {
    expect(await heard(SOUND)).toEqual([])
  })

  it('notices a decoder that gives silence', async () => {
    const silent = SOUND.map((c) => new Float32Array(c.length))
    expect((await heard(silent))[0]).toMatch(/^\d{5} samples differ, the first at 1 of channel 0/)
  })

  it('notices a decoder that is one sample late', async () => {
    const late = SOUND.map((c) => Float32Array.from(c, (_, i) => c[i - 1] ?? 0))
    expect(await heard(late)).toHaveLength(1)
  })

  it('notices a lost last block', async () => {
    const short = SOUND.map((c) => c.subarray(0, RATE - 3140))
    expect(await heard(short)).toEqual([`${RATE - 3140} samples, not ${RATE}`])
  })

  it('notices samples beyond the end', async () => {
    const long = SOUND.map((c) => Float32Array.from({ length: RATE + 5 }, (_, i) => c[i] ?? 0))
    expect(await heard(long)).toEqual([`${RATE + 5} samples, not ${RATE}`])
  })

  it('notices one sample that is wrong in its last bit', async () => {
    const [left, right] = SOUND.map((c) => c.slice()) as [Float32Array, Float32Array]
    right[30_000] = (right[30_000] as number) + 2 ** -23
    expect((await heard([left, right]))[0]).toMatch(
      /^1 samples differ, the first at 30000 of channel 1/,
    )
  })

  it('notices channels that changed places, and one too few', async () => {
    expect(await heard([...SOUND].reverse())).toHaveLength(1)
    expect(await heard(SOUND.slice(0, 1))).toEqual(['1 channels, not 2'])
  })

  it('takes what is no number for 0, as audile does', async () => {
    const theirs = [Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY)]
    const ours = [Float32Array.of(0.5, 0, 0)]
    expect(await compareSamples(blocksOf(ours), piecesOf(theirs), 1)).not.toHaveProperty(
      'difference',
    )
  })
})

describe('judging an answer', () => {
  const said = (answer: Answer, reference: Partial<Reference> = {}) =>
    judge({ ...FLAC, ...reference }, answer, undefined)

  it('has nothing to say of an answer that is right', () => {
    expect(said(ANSWER)).toEqual({ outcome: 'same', differences: [] })
  })

  it('notices an artist that was split, and a title that is not there', () => {
    expect(said({ ...ANSWER, artist: 'AC' }).differences).toEqual(['artist "AC", not "AC/DC"'])
    expect(said({ ...ANSWER, title: '' }).differences).toEqual(['title none, not "T.N.T."'])
    expect(said({ ...ANSWER, album: 'Live' }).differences).toEqual(['album "Live", not none'])
  })

  it('allows 0.1 LU, and no more', () => {
    expect(said({ ...ANSWER, loudness: -12.2 }).outcome).toBe('same')
    expect(said({ ...ANSWER, loudness: -12.19 }).differences).toEqual(['-12.19 LUFS, not -12.3'])
    expect(said({ ...ANSWER, loudness: -12.1 }, { loudnessRounding: 0.05 }).outcome).toBe('differs')
  })

  it('wants -60 of silence, and of what is quieter', () => {
    expect(said({ ...ANSWER, loudness: -60 }, { loudness: null }).outcome).toBe('same')
    expect(said({ ...ANSWER, loudness: -60 }, { loudness: -63.2 }).outcome).toBe('same')
    expect(said({ ...ANSWER, loudness: -40 }, { loudness: null }).outcome).toBe('differs')
  })

  it('allows 60 ms of a lossy file, and three samples of a lossless one', () => {
    const mp3 = { lossless: false }
    expect(said({ ...ANSWER, duration: 1.0599 }, mp3).outcome).toBe('same')
    expect(said({ ...ANSWER, duration: 0.93 }, mp3).differences).toEqual(['0.93 s, not 1.00000'])
    expect(said({ ...ANSWER, duration: 1.0599 }).outcome).toBe('differs')
  })

  it('counts the samples of a lossless file where no others are at hand', () => {
    const decoded = { frames: 44_000, sampleRate: RATE, channels: 2 }
    expect(said({ ...ANSWER, decoded }).differences).toEqual(['44000 samples, not 44100'])
  })

  it('notices a false alarm of damage', () => {
    expect(said({ ...ANSWER, warning: 'truncated' }).outcome).toBe('differs')
    expect(said({ ...ANSWER, warning: 'truncated' }, { damaged: true }).outcome).toBe('same')
  })

  it('notices what is refused and ought to be read, and the reverse', () => {
    const refused = { code: 'decode', message: 'No. Set the option ffmpegPath.' }
    expect(said({ refused }).outcome).toBe('differs')
    expect(said({ refused }, { demand: 'refuse' }).outcome).toBe('refused by both')
    expect(said(ANSWER, { demand: 'refuse' }).outcome).toBe('differs')
    const untyped = { code: undefined, message: 'x is not a function' }
    expect(said({ refused: untyped }, { demand: 'refuse' }).outcome).toBe('differs')
  })

  it('wants an error that names ffmpegPath where that option helps', () => {
    const demand = 'refuse and name ffmpegPath' as const
    const refused = { code: 'decode', message: 'Unknown.' }
    expect(said({ refused }, { demand }).outcome).toBe('differs')
    refused.message = 'Set the option ffmpegPath.'
    expect(said({ refused }, { demand }).outcome).toBe('refused as documented')
  })

  it('notices a part of a damaged file that is given as the whole', () => {
    const decoded = { frames: 44_000, sampleRate: RATE, channels: 2 }
    const demand = 'all or refuse' as const
    expect(said({ ...ANSWER, decoded }, { demand }).outcome).toBe('differs')
    expect(said({ ...ANSWER, decoded, warning: 'truncated' }, { demand }).outcome).toBe('same')
  })

  it('does not judge where ffmpeg itself complains', () => {
    expect(said({}, { demand: 'nothing' }).outcome).toBe('not judged')
  })
})

describe('the list of documented formats', () => {
  it('follows the table of formats', () => {
    const guide = readFileSync(join(PACKAGE, 'examples/install.md'), 'utf8')
    for (const words of [
      '| WAV (8 to 64 bits, float, µ-law, A-law,',
      'FLAC, Ogg FLAC (4 to 32 bits)',
      'Ogg Vorbis, Ogg Opus',
    ])
      expect(guide).toContain(words)
    expect(isDocumented('wav', 'pcm_s24le')).toBe(true)
    expect(isDocumented('mov,mp4,m4a,3gp,3g2,mj2', 'alac')).toBe(true)
    expect(isDocumented('mp3', 'mp2')).toBe(false)
    expect(isDocumented('ogg', 'speex')).toBe(false)
    expect(isDocumented('matroska,webm', 'flac')).toBe(false)
  })
})

describe('the set that is made', () => {
  it('has more than 400 files, each with a name of its own', () => {
    const names = recipes().map(({ name }) => name)
    expect(names.length).toBeGreaterThanOrEqual(400)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has FLAC of every bit depth', () => {
    const names = recipes().map(({ name }) => name)
    for (let bits = 4; bits <= 32; bits++) expect(names).toContain(`flac/${bits}-bits.flac`)
  })
})

describe('npm run conformance', () => {
  const conformance = (args: string[], env: NodeJS.ProcessEnv = process.env) => {
    const main = fileURLToPath(new URL('../programs/conformance/main.ts', import.meta.url))
    const loader = import.meta.resolve('tsx')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', loader, main, ...args],
      { cwd: PACKAGE, env, encoding: 'utf8' },
    )
    return { status, stdout, stderr }
  }

  it('compares a folder with recorded facts, where there is no ffmpeg', () => {
    const folder = join(scratch(), 'media')
    mkdirSync(folder)
    const sound = samplesOf({ frames: 30_000, bits: 24, seed: 1 })
    writeFileSync(join(folder, 'a.wav'), wavOf(sound))
    const facts = {
      ...{ audile: 'read', lossless: true, format: 'wav', codec: 'pcm_s24le', sample_rate: 44_100 },
      ...{ channels: 2, frames: 30_000, title: null, artist: null, album: null },
    }
    const record = join(scratch(), 'expected.json')
    const env = { ...process.env, PATH: '' }
    writeFileSync(record, JSON.stringify({ 'a.wav': facts }))
    expect(conformance(['--expected', record, folder], env)).toMatchObject({
      status: 0,
      stderr: '',
    })

    writeFileSync(record, JSON.stringify({ 'a.wav': { ...facts, frames: 30_001, title: 'A' } }))
    const { status, stdout } = conformance(['--expected', record, folder], env)
    expect(status).toBe(1)
    expect(stdout).toContain('30000 samples, not 30001')
    expect(stdout).toContain('title none, not "A"')
  })

  it('says what to install, or that the folder is not there', () => {
    const without = conformance([scratch()], { ...process.env, PATH: '' })
    expect(without.status).toBe(2)
    expect(without.stderr).toMatch(
      /^ffmpeg cannot be run here\. Install it .* --expected FILE\.\n$/,
    )
    const nowhere = conformance(['/nowhere/at-all'])
    expect(nowhere).toMatchObject({ status: 2, stderr: 'There is no folder /nowhere/at-all.\n' })
  })
})
