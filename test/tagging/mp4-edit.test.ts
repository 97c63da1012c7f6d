import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TASK_RUNNERS } from '../../src/workers/tasks.ts'
import { fixture } from '../support/decoded.ts'
import { scratch } from '../support/scratch.ts'
import {
  freeformItem,
  m4aWith,
  movieFirst,
  mp4Box,
  textItem,
  userData,
} from '../support/tag-bytes.ts'
import { refusalOf, tagged } from '../support/tagged.ts'

const M4A = readFileSync(fixture('stereo.m4a'))
const ITEMS = [
  textItem('©nam', 'Title'),
  mp4Box('covr', mp4Box('data', Buffer.from('\0\0\0\x0d\0\0\0\0jpg'), Buffer.alloc(3000, 7))),
  freeformItem('LABEL', 'x'),
  mp4Box('©xyz', Buffer.from('no box in it')),
  mp4Box('tmpo', mp4Box('data', Buffer.from([0, 0, 0, 21, 0, 0, 0, 0, 90]))),
]
/** Chapters as Nero writes them, version 1. */
const CHAPTERS = mp4Box(
  'chpl',
  Buffer.from('\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\x02c0\0\0\0\0\0\0\0\x09\x02c1', 'latin1'),
)

async function soundOf(content: Buffer): Promise<string> {
  const path = join(scratch(), 'sound.m4a')
  writeFileSync(path, content)
  return (await TASK_RUNNERS.sum({ path, decode: {} }, () => {})).audioMd5
}

/** Requires that the parts are there, and that the sound is found where the tables say it lies. */
async function expectKept(written: Buffer, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) expect(written.includes(part)).toBe(true)
  expect(await soundOf(written)).toBe(await soundOf(M4A))
}

const withChapters = (items: readonly Buffer[], ...behind: Buffer[]) =>
  m4aWith(
    M4A,
    items,
    mp4Box('udta', CHAPTERS, userData(items, behind).subarray(8), Buffer.alloc(4)),
  )

describe('an MP4 file keeps every box and its sound', () => {
  const values = { bpm: 120, key: 'Am', trackGain: -3, trackPeak: 0.5, comment: 'x' }

  it.each([
    ['behind the sound', (file: Buffer) => file],
    ['in front of the sound', movieFirst],
  ])('with "moov" %s', async (_, place) => {
    const file = place(withChapters(ITEMS))
    const written = await tagged(file, values)
    await expectKept(written, [CHAPTERS, ...ITEMS.slice(0, 4)])
    expect(written.includes(mp4Box('data', Buffer.from([0, 0, 0, 21, 0, 0, 0, 0, 0, 120])))).toBe(
      true,
    )
    // The free box behind the items takes what changes later.
    const again = await tagged(written, { ...values, comment: 'a longer comment' })
    expect(again.length).toBe(written.length)
    await expectKept(again, [CHAPTERS, ...ITEMS.slice(0, 4)])
  })

  it('whose free box behind the items is used, unless it hides something', async () => {
    const free = mp4Box('free', Buffer.alloc(2000))
    const file = movieFirst(withChapters(ITEMS, free))
    expect((await tagged(file, values)).length).toBe(file.length)
    const hidden = mp4Box('free', Buffer.alloc(2000, 'x'))
    await expectKept(await tagged(movieFirst(withChapters(ITEMS, hidden)), values), [hidden])
  })

  it('whose free box behind "moov" is used, unless it hides something', async () => {
    const first = movieFirst(withChapters(ITEMS))
    const soundAt = first.indexOf('mdat') - 4
    const between = (fill: string) => {
      const box = mp4Box('free', Buffer.alloc(2992, fill))
      const file = Buffer.concat([first.subarray(0, soundAt), box, first.subarray(soundAt)])
      const table = file.indexOf('stco') + 4
      for (let i = 0; i < file.readUInt32BE(table + 4); i++) {
        const at = table + 8 + 4 * i
        file.writeUInt32BE(file.readUInt32BE(at) + box.length, at)
      }
      return file
    }
    const written = await tagged(between('\0'), values)
    expect(written.length).toBe(between('\0').length)
    await expectKept(written, [CHAPTERS])
    const kept = await tagged(between('y'), values)
    expect(kept.length).toBeGreaterThan(between('y').length)
    await expectKept(kept, [mp4Box('free', Buffer.alloc(2992, 'y'))])
  })

  it('that has no user data, no "meta", or no items in it', async () => {
    const none = m4aWith(M4A, [], Buffer.alloc(0))
    const chaptersOnly = m4aWith(M4A, [], mp4Box('udta', CHAPTERS))
    const handler = mp4Box('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9))
    const empty = m4aWith(
      M4A,
      [],
      mp4Box('udta', mp4Box('meta', Buffer.alloc(4), handler), CHAPTERS),
    )
    for (const file of [none, chaptersOnly, movieFirst(empty)]) {
      const written = await tagged(file, values)
      await expectKept(written, file === none ? [] : [CHAPTERS])
      expect(await tagged(written, values)).toEqual(written)
    }
  })

  it("with a 64-bit size, in QuickTime's form without a version", async () => {
    const handler = mp4Box('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9))
    const list = mp4Box('ilst', ...ITEMS)
    const long = Buffer.concat([
      Buffer.from([0, 0, 0, 1]),
      Buffer.from('udta'),
      Buffer.alloc(8),
      mp4Box('meta', handler, list),
    ])
    long.writeUInt32BE(long.length, 12)
    const written = await tagged(m4aWith(M4A, [], long), values)
    await expectKept(written, ITEMS.slice(0, 4))
    expect(await tagged(written, values)).toEqual(written)
  })

  it.each<[string, Buffer, RegExp]>([
    [
      '"meta" of another kind',
      m4aWith(
        M4A,
        [],
        mp4Box(
          'udta',
          mp4Box(
            'meta',
            Buffer.alloc(4),
            mp4Box('hdlr', Buffer.alloc(8), Buffer.from('ID32'), Buffer.alloc(13)),
          ),
        ),
      ),
      /of another kind than that of iTunes/,
    ],
    [
      'bytes that are no box',
      m4aWith(M4A, [], Buffer.concat([userData(ITEMS), Buffer.from('???')])),
      /holds bytes that are no box/,
    ],
    [
      'an item that ends early',
      m4aWith(M4A, [mp4Box('tmpo', Buffer.from([0, 0, 0, 99, 1, 2, 3, 4]))]),
      /MP4 boxes are damaged/,
    ],
    ['a file that is cut off', movieFirst(withChapters(ITEMS)).subarray(0, -500), /is cut off/],
    [
      'places in an unknown table',
      movieFirst(
        m4aWith(
          M4A,
          [],
          Buffer.concat([
            userData(ITEMS),
            mp4Box(
              'meta',
              Buffer.alloc(4),
              mp4Box('hdlr', Buffer.alloc(25)),
              mp4Box('iloc', Buffer.alloc(8)),
            ),
          ]),
        ),
      ),
      /states places in it in a way that is not understood/,
    ],
    [
      'a track whose data lie in another file',
      (() => {
        const file = movieFirst(withChapters(ITEMS))
        file[file.indexOf('url ') + 7] = 0
        return file
      })(),
      /a track whose data lie in another file/,
    ],
    [
      'an offset that points into "moov"',
      (() => {
        const file = movieFirst(withChapters(ITEMS))
        file.writeUInt32BE(file.indexOf('moov') + 20, file.indexOf('stco') + 12)
        return file
      })(),
      /points into the box "moov"/,
    ],
  ])('or is refused: %s', async (_, file, message) => {
    expect(await refusalOf(file, values)).toMatch(message)
  })

  it('or is refused: a value that an item cannot hold', async () => {
    expect(await refusalOf(M4A, { bpm: 70_000 })).toMatch(/Its BPM cannot be written/)
  })
})
