import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DecodeError } from '../../src/values/errors.ts'
import { atom, mp4Of, soundOf } from '../programs/hostile/mp4-writer.ts'
import {
  decoded,
  differenceFromSine,
  expectTones,
  fittedSine,
  fixture,
} from '../support/decoded.ts'

const bytes = (name: string) => Buffer.from(readFileSync(fixture(name)))

test('AAC: delay and padding are removed as the edit list says', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.m4a'))
  expect(report).toEqual({
    container: 'mp4',
    codec: 'aac',
    decoder: '@audio/decode-mp4',
    sampleRate: 44_100,
    channels: 2,
    frames: 26_460,
    truncated: false,
  })
  expectTones(samples, 0.5)
})

test('ALAC, tables first', async () => {
  const { samples, ...report } = await decoded(fixture('alac.m4a'))
  expect(report).toMatchObject({ codec: 'alac', channels: 2, frames: 26_460, truncated: false })
  expect(differenceFromSine(samples[0]!, { edge: 0 })).toBeLessThan(1 / 32_768)
})

test('fragments', async () => {
  const { samples, ...report } = await decoded(fixture('fragmented.m4a'))
  // 26 frames of 1,024; the padding at the end is not told.
  expect(report).toMatchObject({ codec: 'aac', channels: 1, frames: 26_624 })
  expect(Math.abs(fittedSine(samples[0]!).lag)).toBeLessThan(0.5)
})

describe('tables that claim more than they hold', () => {
  /** Overwrites the four bytes `offset` behind the name of an atom. */
  function tampered(name: string, atom: string, offset: number, value: number): Buffer {
    const file = bytes(name)
    file.writeUInt32BE(value, file.indexOf(atom) + 4 + offset)
    return file
  }

  test.each([
    ['stsz', 8, /"stsz" claims 4294967040 entries/],
    ['stco', 4, /"stco" claims 4294967040 entries/],
    ['stsc', 4, /"stsc" claims 4294967040 entries/],
    ['stts', 4, /"stts" claims 4294967040 entries/],
    ['elst', 4, /"elst" claims 4294967040 entries/],
    ['stsz', 4, /"stsz" claims/],
    ['stsz', 12, /"stsz" claims a sample of 4294967040 bytes/],
    ['minf', -8, /"minf" is 4294967040 bytes long/],
  ])('%s, field at %i', async (atom, offset, message) => {
    const failure = decoded(tampered('stereo.m4a', atom, offset, 0xffffff00))
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toBeInstanceOf(DecodeError)
  })

  test('trun in a fragment', async () => {
    const file = tampered('fragmented.m4a', 'trun', 4, 0xffffff00)
    await expect(decoded(file)).rejects.toThrow(/"trun" claims 4294967040 entries/)
  })
})

test('without a moov atom', async () => {
  const file = bytes('stereo.m4a')
  const end = file.indexOf('moov') - 4
  await expect(decoded(file.subarray(0, end))).rejects.toThrow(/no moov atom/)
})

test('cut off within the sound, tables first: truncated', async () => {
  const file = bytes('alac.m4a')
  const { frames, truncated } = await decoded(file.subarray(0, file.length - 10_000))
  expect(truncated).toBe(true)
  expect(frames).toBeGreaterThan(8000)
})

test('the length in the header counts before anything is decoded', async () => {
  const options = { limits: { seconds: 0.5 } }
  await expect(decoded(fixture('stereo.m4a'), options)).rejects.toThrow(/over the limit of 0.5 s/)
})

test.each([
  ['stereo.m4a', 'mdhd', 16],
  ['stereo.m4a', 'stts', 12],
  ['alac.m4a', 'mdhd', 16],
])(
  '%s: a length in its %s that contradicts the packets refuses nothing',
  async (name, atom, offset) => {
    const file = bytes(name)
    file.writeUInt32BE(0x7f000000, file.indexOf(atom) + 4 + offset)
    const { frames } = await decoded(file)
    expect(frames).toBeGreaterThanOrEqual(26_460)
    expect(frames).toBeLessThan(26_460 + 2048)
  },
)

/** The sound of a fixture, whose packets tests put into files of their own. */
const AAC = soundOf(bytes('stereo.m4a'), 1024, 44_100)
const PACKETS = AAC.packets.length
const u32 = (...values: number[]) => {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) buffer.writeInt32BE(value | 0, 4 * i)
  return buffer
}

describe('what other programs put into a file', () => {
  const text = atom('hdlr', u32(0, 0), Buffer.from('text'), Buffer.alloc(13))
  // A chapter title's format: 43 bytes that only look like atoms.
  const style = Buffer.concat([Buffer.alloc(20), u32(1), Buffer.from('\0\x0dftab\0\x01\0\x01\0')])
  const entry = Buffer.concat([u32(8 + 8 + style.length), Buffer.from('text'), u32(0, 1), style])
  const chapters = atom(
    'trak',
    atom('mdia', text, atom('minf', atom('stbl', atom('stsd', u32(0, 1), entry)))),
  )

  test.each([
    ['a track of chapters', [chapters]],
    ['an atom with a 64-bit size', [Buffer.concat([u32(1), Buffer.from('free'), u32(0, 20, 7)])]],
    [
      'tags whose values are no atoms',
      [atom('udta', atom('meta', u32(0), atom('ilst', atom('----', u32(1, 0x74657374, 9, 9)))))],
    ],
    ['a list of tags that goes on behind its parent', [atom('udta', u32(5000), text)]],
    ['zeros behind the last atom', [u32(0, 0, 0)]],
  ])('%s', async (_, extra) => {
    const { bytes: file } = mp4Of(AAC, { extra })
    expect(await decoded(file)).toMatchObject({ codec: 'aac', truncated: false })
  })

  test('a table of sizes within the description of the sound, which no decoder sees', async () => {
    const old = Buffer.from(AAC.descriptions)
    const trap = atom('stsz', u32(0, 1, 0x7fffffff))
    old.writeUInt32BE(old.readUInt32BE(16) + trap.length, 16)
    old.writeUInt32BE(old.length + trap.length, 0)
    const { bytes: file } = mp4Of({ ...AAC, descriptions: Buffer.concat([old, trap]) })
    expect((await decoded(file)).frames).toBe((PACKETS - 1) * 1024)
  })
})

describe('fragments behind samples that the moov lists', () => {
  function fragment(packets: readonly Uint8Array[]): Buffer {
    const sizes = u32(...packets.map(({ length }) => length))
    const make = (offset: number) =>
      atom(
        'moof',
        atom('mfhd', u32(0, 1)),
        atom(
          'traf',
          atom('tfhd', u32(0x020008, 1, 1024)),
          atom('trun', u32(0x201, packets.length, offset), sizes),
        ),
      )
    return Buffer.concat([make(make(0).length + 8), atom('mdat', Buffer.concat(packets))])
  }
  const trex = atom('mvex', atom('trex', u32(0, 1, 1, 1024, 0, 0)))

  test.each([[0], [1], [9], [PACKETS - 1]])(
    '%i of them: all are decoded in order',
    async (listed) => {
      const first = mp4Of({ ...AAC, packets: AAC.packets.slice(0, listed) }, { extra: [trex] })
      const middle = Math.floor((listed + PACKETS) / 2)
      const file = Buffer.concat([
        first.bytes,
        fragment(AAC.packets.slice(listed, middle)),
        atom('free', Buffer.alloc(9)),
        fragment(AAC.packets.slice(middle)),
      ])
      const whole = await decoded(mp4Of(AAC).bytes)
      const { samples, ...report } = await decoded(file)
      expect(report).toMatchObject({ frames: (PACKETS - 1) * 1024, truncated: false })
      expect(samples[0]).toEqual(whole.samples[0])
      // The file ends within the last fragment.
      expect((await decoded(file.subarray(0, -200))).truncated).toBe(true)
    },
  )

  test('fragments that claim sound without end are refused', async () => {
    const runs = Array.from({ length: 100 }, () => atom('trun', u32(0, 262_144)))
    const moof = atom('moof', atom('traf', atom('tfhd', u32(0, 1)), ...runs))
    const { bytes: start } = mp4Of({ ...AAC, packets: [] }, { extra: [trex] })
    await expect(decoded(Buffer.concat([start, moof]))).rejects.toThrow(
      /"trun" claims over 16777216/,
    )
  })
})

describe('an encrypted file is refused, and called so', () => {
  const described = (change: (entry: Buffer) => Buffer) => {
    const entry = change(Buffer.from(AAC.descriptions.subarray(16)))
    entry.writeUInt32BE(entry.length, 0)
    return mp4Of({ ...AAC, descriptions: atom('stsd', u32(0, 1), entry) }).bytes
  }

  test.each([
    ['Common Encryption', (entry: Buffer) => Buffer.concat([entry.fill('enca', 4, 8)])],
    ['iTunes', (entry: Buffer) => entry.fill('drms', 4, 8)],
    ['a scheme', (entry: Buffer) => Buffer.concat([entry, atom('sinf', atom('frma', u32(0)))])],
  ])('%s', async (_, change) => {
    const failure = decoded(described(change))
    await expect(failure).rejects.toThrow(/encrypted/)
    await expect(failure).rejects.toBeInstanceOf(DecodeError)
  })

  test('with ffmpeg at hand, too, which would take it for sound', async () => {
    const file = described((entry) => entry.fill('drms', 4, 8))
    await expect(decoded(file, { ffmpegPath: '/nowhere/ffmpeg' })).rejects.toThrow(
      /^This MP4 file is encrypted .* without protection\.$/,
    )
  })
})

test('the channels of ALAC come in the order of all other formats', async () => {
  // The amplitudes are 0.1 left, 0.2 right, 0.3 centre, 0.4 bass, 0.5 and 0.6 behind.
  const { samples } = await decoded(fixture('surround-alac.m4a'))
  const loudest = samples.map((channel) => Math.max(...channel).toFixed(1))
  expect(loudest).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5', '0.6'])
})

describe('edit lists', () => {
  /** The file with an edit list of these parts: samples that each lasts, and where it starts. */
  function edited(...edits: readonly (readonly [duration: number, start: number])[]): Buffer {
    const file = mp4Of(AAC).bytes
    const list = edits.flatMap((edit) => [...edit, 65_536])
    const edts = atom('edts', atom('elst', u32(0, edits.length, ...list)))
    const at = file.indexOf('mdia') - 4
    const longer = Buffer.concat([file.subarray(0, at), edts, file.subarray(at)])
    for (const parent of ['moov', 'trak']) {
      const head = longer.indexOf(parent) - 4
      longer.writeUInt32BE(longer.readUInt32BE(head) + edts.length, head)
    }
    const offset = longer.indexOf('stco') + 12
    longer.writeUInt32BE(longer.readUInt32BE(offset) + edts.length, offset)
    return longer
  }
  const all = PACKETS * 1024

  test.each([
    ['all of the medium, an encoder’s delay too', [[all, 0]], all],
    ['all behind the delay', [[all - 1024, 1024]], all - 1024],
    ['from a place on, without an end', [[0, 5000]], all - 5000],
    ['from a place on, and less than is there', [[10_000, 5000]], 10_000],
    ['from a place on, longer than the medium', [[all, 12_000]], all - 12_000],
    [
      'a pause first',
      [
        [3000, -1],
        [all - 2048, 2048],
      ],
      all - 2048,
    ],
    [
      'parts that follow each other',
      [
        [4000, 1024],
        [3000, 5024],
        [0, 8024],
      ],
      all - 1024,
    ],
  ] as const)('%s', async (_, edits, frames) => {
    const report = await decoded(edited(...edits))
    expect(report.frames).toBe(frames)
    expect(report.truncated).toBe(false)
  })
})

test('PCM, whose samples are some bytes each', async () => {
  const count = 200_000
  const sound = Buffer.alloc(4 * count)
  for (let i = 0; i < 2 * count; i++) {
    sound.writeInt16LE(Math.round(10_000 * Math.sin(((i >> 1) * Math.PI) / 50)), 2 * i)
  }
  const entry = Buffer.concat([
    u32(36),
    Buffer.from('sowt'),
    u32(0, 1, 0, 0, 0x00020010, 0, 44_100 << 16),
  ])
  const descriptions = atom('stsd', u32(0, 1), entry)
  const packets = [sound.subarray(0, 400_000), sound.subarray(400_000)]
  const file = mp4Of({ descriptions, sampleRate: 44_100, packetFrames: count / 2, packets }).bytes
  // One size for all, and their number.
  const sizes = file.indexOf('stsz')
  file.writeUInt32BE(4, sizes + 8)
  file.writeUInt32BE(count, sizes + 12)
  file.writeUInt32BE(count, file.indexOf('stsc') + 16)
  const { samples, frames, channels, truncated } = await decoded(file)
  expect({ frames, channels, truncated }).toEqual({ frames: count, channels: 2, truncated: false })
  const amplitude = 10_000 / 32_768
  expect(differenceFromSine(samples[1]!, { amplitude, edge: 0 })).toBeLessThan(1 / 32_768)
  // Cut off in its first half: what is there counts.
  const cut = await decoded(file.subarray(0, file.length - 600_000))
  expect(cut).toMatchObject({ truncated: true, channels: 2 })
  expect(cut.frames).toBeGreaterThan(49_000)
})
