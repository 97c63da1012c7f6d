import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { readTags, type Tags } from '../../src/audio/tags.ts'
import { atom } from '../programs/hostile/mp4-writer.ts'
import { oggPages, packetsOf } from '../programs/hostile/ogg-writer.ts'
import { fixture } from '../support/decoded.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import {
  apeTag,
  chunk,
  ENCODINGS,
  flacWith,
  id3Frame,
  id3v1,
  id3v2,
  id3v2Of,
  infoChunk,
  legacyBytes,
  type Names,
  vorbisComment,
} from '../support/tag-bytes.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

/** Names with the signs by which programs take them apart. */
const SLASHED = { title: '9/11 / live; & more', artist: 'AC/DC', release: 'Either/Or' }
const WORLD = { title: 'Ünï', artist: 'Björk', release: 'Ágætis byrjun' }
const KANA = { title: 'サンプルのタイトル', artist: '宇多田ヒカル', release: 'ひらがな' }
/** The same in Shift-JIS. */
const KANA_BYTES = {
  title: Buffer.from('835483938376838b82cc835e83438367838b', 'hex'),
  artist: Buffer.from('894691bd93638371834a838b', 'hex'),
  release: Buffer.from('82d082e782aa82c8', 'hex'),
}

const bytes = (name: string) => readFileSync(fixture(name))
const mp3 = bytes('no-header.mp3')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

async function tagsIn(...parts: readonly Uint8Array[]): Promise<Tags> {
  const path = join(scratch(), 'song')
  writeFileSync(path, Buffer.concat(parts))
  return readTags(path)
}

async function namesOf(...parts: readonly Uint8Array[]): Promise<Pick<Tags, keyof Names>> {
  const { title, artist, release } = await tagsIn(...parts)
  return JSON.parse(JSON.stringify({ title, artist, release }))
}

describe.each([2, 3, 4] as const)('ID3v2.%i', (version) => {
  it.each(Object.entries(ENCODINGS))(
    'keeps "/", ";" and "&" within a name, in %s',
    async (_, as) => {
      expect(await namesOf(id3v2(version, SLASHED, as), mp3)).toEqual(SLASHED)
    },
  )

  it.each(Object.entries(ENCODINGS))('keeps letters with accents, in %s', async (_, as) => {
    expect(await namesOf(id3v2(version, WORLD, as), mp3)).toEqual(WORLD)
  })

  it('leaves out zero bytes, byte order marks, surrounding space, and names of nothing else', async () => {
    const names = { title: '\ufeffSong\0\0', artist: '  A \t', release: ' \0' }
    expect(await namesOf(id3v2(version, names, ENCODINGS.utf16), mp3)).toEqual({
      title: 'Song',
      artist: 'A',
    })
  })

  it('keeps "/" within a genre, and leaves zero bytes and marks out', async () => {
    const [encoding, write] = ENCODINGS.utf16
    const content = Buffer.concat([Buffer.of(encoding), write('\ufeffDuo Cello/Piano\0\0')])
    const path = join(scratch(), 'song')
    const tag = id3v2Of(version, [id3Frame(version, version === 2 ? 'TCO' : 'TCON', content)])
    writeFileSync(path, Buffer.concat([tag, mp3]))
    expect((await readTags(path)).genres).toEqual(['Duo Cello/Piano'])
  })

  it('takes bytes that are called Latin-1 for what they are', async () => {
    const frame = (id: string, text: Uint8Array) =>
      id3Frame(version, id, Buffer.concat([Buffer.of(0), text]))
    const [title, artist, release] =
      version === 2 ? (['TT2', 'TP1', 'TAL'] as const) : (['TIT2', 'TPE1', 'TALB'] as const)
    const quoted = [
      frame(title, Buffer.from('446f6e9274', 'hex')),
      frame(artist, latin1('Motörhead')),
    ]
    expect(await namesOf(id3v2Of(version, quoted), mp3)).toMatchObject({
      title: 'Don’t',
      artist: 'Motörhead',
    })
    const kana = [
      frame(title, KANA_BYTES.title),
      frame(artist, KANA_BYTES.artist),
      frame(release, KANA_BYTES.release),
    ]
    expect(await namesOf(id3v2Of(version, kana), mp3)).toEqual(KANA)
  })
})

describe('several values of a name', () => {
  const two = (first: string, second: string) =>
    Buffer.concat([Buffer.of(3), Buffer.from(`${first}\0${second}`)])

  it('are joined in ID3v2.4, which separates them by NUL', async () => {
    const tag = id3v2Of(4, [
      id3Frame(4, 'TIT2', two('One', 'Two')),
      id3Frame(4, 'TPE1', two('Artist One', 'Artist Two')),
      id3Frame(4, 'TPE1', two('Artist Two', 'Artist Three')),
    ])
    expect(await namesOf(tag, mp3)).toEqual({
      title: 'One, Two',
      artist: 'Artist One, Artist Two, Artist Three',
    })
  })

  it('do not exist in ID3v2.3, where a NUL ends the name', async () => {
    const title = Buffer.from('some title\0\ufeffanother title\0', 'utf16le')
    const frame = id3Frame(3, 'TIT2', Buffer.concat([Buffer.of(1, 0xff, 0xfe), title]))
    expect(await namesOf(id3v2Of(3, [frame]), mp3)).toMatchObject({ title: 'some title' })
  })

  const comments = ['ARTIST=Artist One', 'artist=Artist Two', 'TITLE=A/B', 'ALBUM=C', 'ALBUM=']
  const joined = { title: 'A/B', artist: 'Artist One, Artist Two', release: 'C' }

  it('are joined in FLAC, and in an APE tag', async () => {
    expect(await namesOf(flacWith(bytes('stereo.flac'), comments))).toEqual(joined)
    const ape = apeTag({ TITLE: 'A/B', artist: 'Artist One\0Artist Two', Album: 'C' })
    expect(await namesOf(mp3, ape)).toEqual(joined)
  })

  it.each([
    ['Vorbis', 'stereo.ogg', '\x03vorbis', '\x01'],
    ['Opus', 'mono.opus', 'OpusTags', ''],
    ['FLAC', 'mono-flac.ogg', '\x84\0\0\0', ''],
  ])('are joined in Ogg %s', async (_, file, head, end) => {
    const comment = Buffer.concat([latin1(head), vorbisComment(comments), latin1(end)])
    expect(await namesOf(oggWith(file, comment))).toEqual(joined)
  })

  it('are joined in MP4', async () => {
    const list = [
      item('©nam', 'A/B'),
      atom('\xa9ART', data('Artist One'), data('Artist Two')),
      item('©alb', 'C'),
    ]
    expect(await namesOf(mp4With(ilst(...list)))).toEqual(joined)
  })
})

describe('names that are no UTF-8, although they should be', () => {
  const RUSSIAN = { title: 'Ты', artist: 'ДДТ', release: 'Что такое осень' }
  const FRENCH = { title: 'Été', artist: 'Café', release: 'naïve' }
  const TAGS: Record<string, (texts: Buffer[]) => Uint8Array[]> = {
    'ID3v2.3': (texts) => [
      id3v2Of(
        3,
        ['TIT2', 'TPE1', 'TALB'].map((id, i) =>
          id3Frame(3, id, Buffer.concat([Buffer.of(0), texts[i]!])),
        ),
      ),
      mp3,
    ],
    'ID3v2.4, called UTF-8': (texts) => [
      id3v2Of(
        4,
        ['TIT2', 'TPE1', 'TALB'].map((id, i) =>
          id3Frame(4, id, Buffer.concat([Buffer.of(3), texts[i]!])),
        ),
      ),
      mp3,
    ],
    ID3v1: ([title, artist, release]) => [mp3, id3v1(title!, artist!, release!)],
    APE: ([Title, Artist, Album]) => [
      mp3,
      apeTag({ Title: Title!, Artist: Artist!, Album: Album! }),
    ],
    'APE in front of ID3v1': ([Title, Artist, Album]) => [
      mp3,
      apeTag({ Title: Title!, Artist: Artist!, Album: Album! }),
      id3v1(Buffer.from('?'), Buffer.from('?'), Buffer.from('?')),
    ],
    FLAC: (texts) => [flacWith(bytes('stereo.flac'), commentsOf(texts))],
    Vorbis: (texts) => [
      oggWith(
        'stereo.ogg',
        Buffer.concat([latin1('\x03vorbis'), vorbisComment(commentsOf(texts)), latin1('\x01')]),
      ),
    ],
    Opus: (texts) => [
      oggWith('mono.opus', Buffer.concat([latin1('OpusTags'), vorbisComment(commentsOf(texts))])),
    ],
    'RIFF INFO': ([INAM, IART, IPRD]) => {
      const info = infoChunk({ INAM: INAM!, IART: IART!, IPRD: IPRD! })
      const wave = Buffer.concat([
        latin1('RIFF____WAVE'),
        chunk('fmt ', Buffer.from('0100010044ac000088580100020010', 'hex'), true),
        chunk('data', Buffer.alloc(8), true),
        info,
      ])
      wave.writeUInt32LE(wave.length - 8, 4)
      return [wave]
    },
  }
  const commentsOf = (texts: Buffer[]) =>
    ['TITLE', 'ARTIST', 'ALBUM'].map((name, i) =>
      Buffer.concat([Buffer.from(`${name}=`), texts[i]!]),
    )

  describe.each(Object.keys(TAGS))('in %s', (kind) => {
    it.each([
      ['windows-1251', RUSSIAN],
      ['windows-1252', FRENCH],
      ['shift_jis', KANA],
    ] as const)('are read in one encoding, %s', async (encoding, names) => {
      const { title, artist, release } = names
      const texts = [title, artist, release].map((text) => legacyBytes(encoding, text))
      expect(await namesOf(...TAGS[kind]!(texts))).toEqual(names)
    })

    it('stay as they are beside one in UTF-8', async () => {
      const texts = [Buffer.from('Ünï'), legacyBytes('windows-1251', 'Кино'), Buffer.from('Plain')]
      expect(await namesOf(...TAGS[kind]!(texts))).toEqual({
        title: 'Ünï',
        artist: 'Кино',
        release: 'Plain',
      })
    })
  })

  it('are read of genres and albums too, and the tag is whole', async () => {
    const genre = Buffer.concat([Buffer.from('GENRE='), legacyBytes('windows-1251', 'Русский рок')])
    const title = Buffer.concat([Buffer.from('TITLE='), legacyBytes('windows-1251', 'Дом')])
    const tags = await tagsIn(
      flacWith(bytes('stereo.flac'), [genre, 'DATE=1991', title, 'TRACKNUMBER=3']),
    )
    expect(tags).toMatchObject({
      title: 'Дом',
      genres: ['Русский рок'],
      year: 1991,
      trackNumber: 3,
    })
    expect(tags.samplerate).toBe(44_100)
  })
})

describe('the gains of an Opus file', () => {
  const gainsIn = async (...comments: string[]) => {
    const comment = Buffer.concat([latin1('OpusTags'), vorbisComment(comments)])
    return (await tagsIn(oggWith('mono.opus', comment))).replayGain
  }

  it('refer to -23 LUFS, 5 dB below the reference of ReplayGain', async () => {
    const gains = await gainsIn('R128_TRACK_GAIN=-2560', 'r128_album_gain=128')
    expect(gains).toEqual({ trackGain: -5, albumGain: 5.5 })
  })

  it('count before those of ReplayGain, each on its own', async () => {
    const [track, album] = ['REPLAYGAIN_TRACK_GAIN=-9.00 dB', 'REPLAYGAIN_ALBUM_GAIN=-8.00 dB']
    const peak = 'REPLAYGAIN_TRACK_PEAK=0.5'
    expect(await gainsIn(track, 'R128_TRACK_GAIN=-2560', peak, album)).toEqual({
      trackGain: -5,
      trackPeak: 0.5,
      albumGain: -8,
    })
    expect(await gainsIn('R128_ALBUM_GAIN=0', track, album)).toEqual({
      trackGain: -9,
      albumGain: 5,
    })
    expect(await gainsIn(track, 'R128_TRACK_GAIN=-8.5')).toEqual({ trackGain: -9 })
  })

  it('may have a sign and zeros in front, in six characters', async () => {
    expect(await gainsIn('R128_TRACK_GAIN=+00256', 'R128_ALBUM_GAIN=000256')).toEqual({
      trackGain: 6,
      albumGain: 6,
    })
    expect(await gainsIn('R128_TRACK_GAIN=0000256')).toBeUndefined()
  })

  it('do not count in another format, where those of ReplayGain do', async () => {
    const comments = ['R128_TRACK_GAIN=-2560', 'REPLAYGAIN_TRACK_GAIN=-9.00 dB']
    const flac = await tagsIn(flacWith(bytes('stereo.flac'), comments))
    expect(flac.replayGain).toEqual({ trackGain: -9 })
  })

  it('are not read where they are no 16-bit number', async () => {
    expect(await gainsIn('R128_TRACK_GAIN=40000', 'R128_ALBUM_GAIN=-3.5 dB')).toBeUndefined()
  })
})

/** An Ogg file with another comment packet, up to its end. */
function oggWith(file: string, comment: Buffer): Buffer {
  const packets = [...packetsOf(bytes(file)).slice(0, 1), { bytes: comment, granule: 0n }]
  return Buffer.concat(oggPages(packets, { headers: 2 }))
}

const data = (text: string, kind = 1) =>
  atom('data', Buffer.of(0, 0, 0, kind, 0, 0, 0, 0), Buffer.from(text))
const item = (type: string, text: string) => atom(type, data(text))
const ilst = (...items: readonly Uint8Array[]) =>
  atom(
    'udta',
    atom('meta', Buffer.alloc(4), atom('hdlr', Buffer.alloc(25)), atom('ilst', ...items)),
  )
/** An MP4 file with nothing but these atoms in its moov. */
const mp4With = (...atoms: readonly Uint8Array[]) =>
  Buffer.concat([atom('ftyp', Buffer.from('M4A \0\0\0\0M4A ')), atom('moov', ...atoms)])

describe('ID3v2 as programs write it', () => {
  const names = { title: 'Song', artist: 'AC/DC', release: 'Back/In' }
  const text = (value: string) => Buffer.concat([Buffer.of(0), latin1(value)])

  it('is read with the ids of ID3v2.2 in ID3v2.3', async () => {
    const frames = { 'TT2\0': 'Song', 'TP1\0': 'AC/DC', 'TAL\0': 'Back/In' }
    const tag = id3v2Of(
      3,
      Object.entries(frames).map(([id, value]) => id3Frame(3, id, text(value))),
    )
    expect(await namesOf(tag, mp3)).toEqual(names)
  })

  it('is read with compressed frames', async () => {
    const frames = { TIT2: 'Song', TPE1: 'AC/DC', TALB: 'Back/In' }
    const tag = id3v2Of(
      3,
      Object.entries(frames).map(([id, value]) => {
        const size = Buffer.of(0, 0, 0, value.length + 1)
        return id3Frame(3, id, Buffer.concat([size, deflateSync(text(value))]), 0x80)
      }),
    )
    expect(await namesOf(tag, mp3)).toEqual(names)
  })

  it('is read with zero bytes put behind each ff', async () => {
    const whole = id3v2(3, names, ENCODINGS.utf16).subarray(10)
    const body = Buffer.from([...whole].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
    expect(await namesOf(id3v2Of(3, [body], 0x80), mp3)).toEqual(names)
  })

  it('is read with frame sizes of eight bits a byte in ID3v2.4', async () => {
    const long = 'x'.repeat(300)
    const frames = [id3Frame(3, 'TIT2', text(long)), id3Frame(3, 'TPE1', text('AC/DC'))]
    expect(await namesOf(id3v2Of(4, frames), mp3)).toMatchObject({ title: long, artist: 'AC/DC' })
  })

  it.each([
    ['in front of', (tag: Buffer, wav: Buffer) => Buffer.concat([tag, wav])],
    ['in a chunk of', (tag: Buffer, wav: Buffer) => Buffer.concat([wav, chunk('id3 ', tag, true)])],
  ])('is read %s a WAV file, and counts for more than its own names', async (_, put) => {
    const info = infoChunk({ INAM: latin1('other'), IART: latin1('other'), IENG: latin1('x') })
    const wav = Buffer.concat([bytes('ima.wav'), info])
    expect(await namesOf(put(id3v2(3, names), wav))).toEqual(names)
    expect(await namesOf(wav)).toMatchObject({ title: 'other', artist: 'other' })
  })

  it('is read in a chunk of an AIFF file', async () => {
    const form = Buffer.concat([
      Buffer.from('AIFF'),
      chunk('NAME', latin1('other'), false),
      chunk('ID3 ', id3v2(3, names), false),
    ])
    expect(await namesOf(chunk('FORM', form, false))).toEqual(names)
  })
})

test('the names of a WAV file may be UTF-8 or Windows-1252', async () => {
  const info = infoChunk({
    INAM: Buffer.from('Ágætis byrjun\0'),
    IART: latin1('Björk'),
    IPRD: Buffer.from('446f6e9274', 'hex'),
  })
  expect(await namesOf(bytes('ima.wav'), info)).toEqual({
    title: 'Ágætis byrjun',
    artist: 'Björk',
    release: 'Don’t',
  })
})

describe('several tags', () => {
  const id3 = { title: 'id3', artist: 'id3', release: 'id3' }
  const old = id3v1(latin1('old'), latin1('old'), latin1('old'))

  it('in FLAC, the Vorbis comment counts, and ID3 where it is silent', async () => {
    const flac = flacWith(bytes('stereo.flac'), ['TITLE=Song', 'ARTIST=AC/DC'])
    expect(await namesOf(id3v2(3, id3), id3v2(4, {}), flac, old)).toEqual({
      title: 'Song',
      artist: 'AC/DC',
      release: 'id3',
    })
  })

  it('in mp3, ID3v2 counts, then APE, then ID3v1', async () => {
    const ape = apeTag({ Title: 'ape', Artist: 'A/B' })
    expect(await namesOf(id3v2(3, { title: 'Song', artist: '' }), mp3, ape, old)).toEqual({
      title: 'Song',
      artist: 'A/B',
      release: 'old',
    })
  })
})

describe('ID3v1', () => {
  it('is none where the head of an APE tag has the same letters', async () => {
    // An APE tag of 131 bytes with its head: the "TAG" of "APETAGEX" stands 128 bytes before the end.
    const plain = apeTag({ Title: 'Song', Artist: 'AC/DC', Album: 'x'.repeat(20) })
    const head = Buffer.concat([Buffer.from('APETAGEX'), plain.subarray(-24)])
    head.writeUInt32LE(0xa0000000, 20)
    const filled = 20 + 131 - head.length - plain.length
    const tag = apeTag({ Title: 'Song', Artist: 'AC/DC', Album: 'x'.repeat(filled) })
    const file = Buffer.concat([head, tag])
    expect(file.length).toBe(131)
    const names = { title: 'Song', artist: 'AC/DC', release: 'x'.repeat(filled) }
    expect(await namesOf(mp3, file)).toEqual(names)
  })

  it('in Latin-1 and in ASCII filled up with spaces', async () => {
    const tag = id3v1(
      latin1('Voilà'),
      latin1('AC/DC'.padEnd(30)),
      latin1('Straße\0rest of old text'),
    )
    expect(await namesOf(mp3, tag)).toEqual({ title: 'Voilà', artist: 'AC/DC', release: 'Straße' })
  })

  it('in UTF-8, cut off within a sign', async () => {
    const tag = id3v1(
      Buffer.from('Voilà'),
      Buffer.from('サンプルのアーティスト'),
      Buffer.from('xサンプルのアルバム'),
    )
    expect(await namesOf(mp3, tag)).toEqual({
      title: 'Voilà',
      artist: 'サンプルのアーティス',
      release: 'xサンプルのアルバム',
    })
  })

  it('in Shift-JIS', async () => {
    const { title, artist, release } = KANA_BYTES
    expect(await namesOf(mp3, id3v1(title, artist, release))).toEqual(KANA)
  })
})

describe('MP4 tags', () => {
  const names = { title: 'Song', artist: 'AC/DC', release: 'Back/In' }
  const items = [item('\xa9nam', 'Song'), item('\xa9ART', 'AC/DC'), item('\xa9alb', 'Back/In')]

  it('are read where tables in front of them and atoms behind them are damaged', async () => {
    const table = atom('stsz', Buffer.from('000000000000000000ffffff', 'hex'))
    const track = atom('trak', atom('mdia', atom('minf', atom('stbl', table))))
    const damaged = Buffer.concat([Buffer.from('1000000066726565', 'hex')])
    const list = ilst(...items)
    expect(await namesOf(mp4With(track, list))).toEqual(names)
    expect(await namesOf(mp4With(atom('udta', list.subarray(8), damaged)))).toEqual(names)
  })

  it('are read in front of thousands of fragments', async () => {
    const fragment = Buffer.concat([
      atom('moof', Buffer.alloc(120)),
      atom('mdat', Buffer.alloc(99)),
    ])
    const path = join(scratch(), 'song')
    const file = Buffer.concat([mp4With(ilst(...items)), ...Array(3000).fill(fragment)])
    writeFileSync(path, file)
    expect(await readTags(path, 2 ** 23)).toMatchObject(names)
  })

  it('are read with what belongs to other programs, and their ids and numbers too', async () => {
    const free = (name: string, text: string) =>
      atom(
        '----',
        atom('mean', Buffer.alloc(4), Buffer.from('com.apple.iTunes')),
        atom('name', Buffer.alloc(4), Buffer.from(name)),
        data(text),
      )
    const cover = atom('covr', atom('data', Buffer.of(0, 0, 0, 13, 0, 0, 0, 0), Buffer.alloc(9000)))
    const path = join(scratch(), 'song')
    const number = atom('trkn', atom('data', Buffer.alloc(8), Buffer.of(0, 0, 0, 7, 0, 9, 0, 0)))
    const list = ilst(cover, number, free('ISRC', 'USGF19642608'), free('x', ''), ...items)
    writeFileSync(path, mp4With(list))
    expect(await readTags(path)).toMatchObject({
      ...names,
      trackNumber: 7,
      foreignIds: [{ catalog: 'isrc', type: 'track', id: 'USGF19642608' }],
    })
  })

  it('are read as QuickTime writes them', async () => {
    const string = (type: string, text: string) => {
      const value = Buffer.from(text)
      return atom(type, Buffer.of(0, value.length, 0x55, 0xc4), value)
    }
    const user = atom(
      'udta',
      string('\xa9nam', 'Song'),
      string('\xa9ART', 'AC/DC'),
      string('\xa9alb', 'Back/In'),
      Buffer.alloc(4),
    )
    expect(await namesOf(mp4With(user))).toEqual(names)
    const keys = ['title', 'com.apple.quicktime.artist', 'album'].map((key) =>
      atom('mdta', Buffer.from(key)),
    )
    const numbered = ['Song', 'AC/DC', 'Back/In'].map((text, i) =>
      item(String.fromCharCode(0, 0, 0, i + 1), text),
    )
    const meta = atom(
      'meta',
      atom('hdlr', Buffer.alloc(25)),
      atom('keys', Buffer.of(0, 0, 0, 0, 0, 0, 0, 3), ...keys),
      atom('ilst', ...numbered),
    )
    expect(await namesOf(mp4With(meta))).toEqual(names)
  })
})

test('tags that end early leave those in front of them, and never an error', async () => {
  const comments = flacWith(bytes('stereo.flac'), ['TITLE=Song', 'ARTIST=AC/DC', 'ALBUM=C'])
  const files = [
    Buffer.concat([id3v2(3, SLASHED, ENCODINGS.utf16), mp3]),
    Buffer.concat([id3v2(4, SLASHED), mp3, apeTag({ Title: 'T' }), id3v1(mp3, mp3, mp3)]),
    comments,
    oggWith('mono-flac.ogg', Buffer.concat([latin1('\x84\0\0\0'), vorbisComment(['TITLE=T'])])),
    mp4With(ilst(item('\xa9nam', 'Song'))),
  ]
  for (const file of files) {
    for (let end = 1; end < 160; end += 3) {
      await expect(namesOf(file.subarray(0, end)), `${end} bytes`).resolves.toBeDefined()
    }
  }
  expect(await namesOf(files[0]!.subarray(0, 80))).toMatchObject({ title: SLASHED.title })
})

test('an uploaded track is by the whole artist of its ID3v2.3 tag', async () => {
  const music = await openInline()
  const path = join(scratch(), 'song.mp3')
  const plain = { title: 'T.N.T.', artist: 'AC/DC', release: 'High Voltage' }
  writeFileSync(path, Buffer.concat([id3v2(3, plain, ENCODINGS.utf16), taggedMp3({}, 2)]))
  const { answer } = await music.tracks.upload({ file: path, wait: true })
  expect(answer).toMatchObject(plain)
})
