import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Container } from '../../src/audio/formats.ts'
import { memorySource } from '../../src/audio/tags.ts'
import { filePartsOf } from '../../src/tagging/file-parts.ts'
import { verifyEdit } from '../../src/tagging/verify-edit.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { fixture } from '../support/decoded.ts'
import { failure } from '../support/failure.ts'
import {
  apeTag,
  chunk,
  flacWith,
  freeformItem,
  id3Frame,
  id3v2Of,
  infoChunk,
  m4aWith,
  movieFirst,
  mp4Box,
  opusWith,
  textItem,
  userData,
} from '../support/tag-bytes.ts'
import { tagged } from '../support/tagged.ts'

const bytes = (name: string) => readFileSync(fixture(name))
const id3 = id3v2Of(3, [
  id3Frame(3, 'TIT2', Buffer.from('\0Title')),
  id3Frame(3, 'RVAD', Buffer.from([3, 16, 1, 2, 1, 2])),
  id3Frame(3, 'COMM', Buffer.from('\0engiTunNORM\x00 0000')),
  Buffer.alloc(64),
])
const wave = Buffer.from(await waveBytes(clip({ seconds: 1 })))
const tail = Buffer.concat([infoChunk({ INAM: Buffer.from('A') }), chunk('id3 ', id3, true)])
const tailed = Buffer.concat([wave, tail])
tailed.writeUInt32LE(tailed.length - 8, 4)

const FILES: [Container, Buffer][] = [
  ['mp3', Buffer.concat([id3, bytes('no-header.mp3'), apeTag({ Title: 'A', BPM: '1' })])],
  ['flac', flacWith(bytes('stereo.flac'), ['TITLE=A', 'X=y', 'no equals sign'])],
  ['ogg', opusWith(bytes('mono.opus'), ['TITLE=A', 'X=y'], Buffer.from([1, 2]))],
  ['wav', tailed],
  [
    'mp4',
    movieFirst(
      m4aWith(
        bytes('stereo.m4a'),
        [textItem('©nam', 'A'), freeformItem('LABEL', 'x')],
        Buffer.concat([userData([textItem('©nam', 'A')]), mp4Box('uuid', Buffer.from('own'))]),
      ),
    ),
  ],
]

it.each(FILES)('in a file of %s no part can change unseen', async (container, original) => {
  const edited = await tagged(original, { bpm: 120, key: 'Am', comment: 'x' })
  const changed = new Set(['BPM', 'INITIALKEY', 'COMMENT'])
  const verify = async (content: Buffer) =>
    verifyEdit(container, memorySource(original), memorySource(content), changed)
  await verify(edited)
  let count = 0
  for await (const { label, content, valueName } of filePartsOf(container, memorySource(edited))) {
    if (valueName !== undefined && changed.has(valueName)) continue
    const part =
      content instanceof Uint8Array ? content : edited.subarray(content.start, content.end)
    // Numbers and places are stated in another way than in the file.
    if (part.length === 0 || /^Ogg page|stco|name of|^vendor/.test(label)) continue
    const at = edited.indexOf(part)
    if (at < 0) continue
    count++
    const damaged = Buffer.from(edited)
    const middle = at + Math.floor(part.length / 2)
    damaged[middle] = (damaged[middle] as number) ^ 0x15
    await failure(verify(damaged))
    // Without the part, other sizes would contradict each other.
    if (/^ID3 frame|comment X/.test(label)) {
      const emptied = Buffer.from(edited)
      emptied.fill(0x58, at, at + 4)
      await failure(verify(emptied))
    }
  }
  expect(count).toBeGreaterThan(3)
})

it('a page of sound, its number or its checksum cannot change unseen', async () => {
  const original = opusWith(bytes('mono.opus'), ['TITLE=A'])
  const last = original.lastIndexOf('OggS')
  for (const at of [last + 6, last + 18, last + 22, original.length - 1]) {
    const damaged = Buffer.from(original)
    damaged[at] = (damaged[at] as number) ^ 1
    const verified = verifyEdit('ogg', memorySource(original), memorySource(damaged), new Set())
    expect((await failure(verified)).message).toMatch(/could not be kept/)
  }
})

it('an offset of a chunk of MP4 cannot change unseen', async () => {
  const [, original] = FILES.at(-1) as [Container, Buffer]
  const damaged = Buffer.from(original)
  const at = damaged.indexOf('stco') + 12
  damaged.writeUInt32BE(damaged.readUInt32BE(at) + 1, at)
  const verified = verifyEdit('mp4', memorySource(original), memorySource(damaged), new Set())
  expect((await failure(verified)).message).toContain('stco could not be kept')
})

it('nothing can be added unseen, but the names in a new tag', async () => {
  const sound = bytes('no-header.mp3')
  const verify = (edited: Buffer) =>
    verifyEdit('mp3', memorySource(sound), memorySource(edited), new Set(['BPM']))
  const withFrames = (...ids: string[]) =>
    Buffer.concat([
      id3v2Of(
        3,
        ids.map((id) => id3Frame(3, id, Buffer.from('\x001'))),
      ),
      sound,
    ])
  await verify(withFrames('TBPM', 'TIT2'))
  for (const edited of [withFrames('TBPM', 'TCOM'), Buffer.concat([sound, Buffer.from('more')])]) {
    expect((await failure(verify(edited))).message).toMatch(/could not be kept/)
  }
  const ape = apeTag({ Title: 'A' })
  await failure(verify(Buffer.concat([sound, ape])))
})
