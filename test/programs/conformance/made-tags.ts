import { readFileSync, writeFileSync } from 'node:fs'
import type { Recipe, Studio } from './studio.ts'
import { ape, id3v1, id3v2, type Names, withId3Chunk, withInfo } from './tag-writers.ts'

/** Names with every separator that programs have for lists, and what else readers stumble over. */
const NAMES: Readonly<Record<string, Names>> = {
  plain: { title: 'A Title', artist: 'An Artist', album: 'An Album' },
  slash: { title: 'T.N.T.', artist: 'AC/DC', album: 'Back/In' },
  slashes: { title: '9/11 / live', artist: 'Their / There / They', album: '1/2' },
  ampersand: { title: 'You & I', artist: 'Simon & Garfunkel', album: 'This & That' },
  semicolon: { title: 'One; Two', artist: 'Earth;Wind; Fire', album: 'A;B' },
  commas: { title: 'Oh, Well', artist: 'Crosby, Stills, Nash & Young', album: 'a, b' },
  markup: { title: '<b>x</b>', artist: 'A = "B" \\ C', album: '100% & #1' },
  digits: { title: '1999', artist: '311', album: '(17)' },
  accents: { title: 'Ágætis byrjun', artist: 'Sigur Rós', album: 'Motörhead' },
  scripts: { title: 'Пикник', artist: '東京事変', album: 'مرحبا 🎵' },
  'title-only': { title: 'Alone' },
  several: {
    title: 'Together',
    artist: ['Artist One', 'AC/DC', 'Simon & Garfunkel'],
    album: 'Both',
  },
}

/** Long enough for a loudness. */
const SHORT = { frames: 22_050 }

/** What can be written in a dialect. */
interface Dialect {
  extension: string
  /** It is left out where it cannot say the names. */
  knows: (names: Names) => boolean
  write: (studio: Studio, names: Names, path: string) => Promise<void>
}

const latin = (names: Names) => /^[\0-\xff]*$/.test(Object.values(names).flat().join(''))
const single = (names: Names) => typeof names.artist !== 'object'
const any = () => true

const DIALECTS: Readonly<Record<string, Dialect>> = {
  id3v1: mp3(
    (names) => ({ back: id3v1(names) }),
    (names) => latin(names) && single(names),
  ),
  'id3v2.2': mp3(
    (names) => ({ front: id3v2(names, 2, 'latin1') }),
    (names) => latin(names) && single(names),
  ),
  'id3v2.2-utf16': mp3((names) => ({ front: id3v2(names, 2, 'utf16') }), single),
  'id3v2.3': mp3(
    (names) => ({ front: id3v2(names, 3, 'latin1') }),
    (names) => latin(names) && single(names),
  ),
  // What stands behind a zero in ID3v2.3 is to be ignored; only 2.4 has several values.
  'id3v2.3-utf16': mp3((names) => ({ front: id3v2(names, 3, 'utf16') }), single),
  'id3v2.4': mp3((names) => ({ front: id3v2(names, 4, 'utf8') })),
  'id3v2.4-utf16be': mp3((names) => ({ front: id3v2(names, 4, 'utf16be') })),
  'id3v2.4-and-v1': mp3((names) => ({ front: id3v2(names, 4, 'utf8'), back: id3v1(names) }), latin),
  ape: mp3((names) => ({ back: ape(names) })),
  'ape-and-id3v1': mp3((names) => ({ back: Buffer.concat([ape(names), id3v1(names)]) }), latin),
  'id3v2.3-and-ape': mp3(
    (names) => ({ front: id3v2(names, 3, 'utf16'), back: ape(names) }),
    single,
  ),
  flac: {
    extension: 'flac',
    knows: any,
    write: async (studio, names, path) => {
      const tags = comments(names).flatMap((comment) => ['-T', comment])
      await studio.tool('flac', '-s', '-f', ...tags, '-o', path, studio.wav(SHORT))
    },
  },
  'ogg-flac': {
    extension: 'oga',
    knows: any,
    write: async (studio, names, path) => {
      const tags = comments(names).flatMap((comment) => ['-T', comment])
      const ogg = ['-s', '-f', '--ogg', '--serial-number=1']
      await studio.tool('flac', ...ogg, ...tags, '-o', path, studio.wav(SHORT))
    },
  },
  vorbis: {
    extension: 'ogg',
    knows: any,
    write: async (studio, names, path) => {
      const tags = comments(names).flatMap((comment) => ['-c', comment])
      await studio.tool('oggenc', '-Q', '-s', '1', '--utf8', ...tags, '-o', path, studio.wav(SHORT))
    },
  },
  opus: {
    extension: 'opus',
    knows: any,
    write: async (studio, names, path) => {
      const tags = comments(names).flatMap((comment) => ['--comment', comment])
      await studio.tool('opusenc', '--quiet', '--serial', '1', ...tags, studio.wav(SHORT), path)
    },
  },
  mp4: byFfmpeg('m4a', ['-c:a', 'aac']),
  'mp4-alac': byFfmpeg('m4a', ['-c:a', 'alac', '-movflags', '+faststart']),
  // ffmpeg leaves 23 ms of the encoder's delay in fragments: of half a second that is 0.1 LU and more.
  'mov-fragments': byFfmpeg('mp4', ['-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov'], {}),
  'riff-info-front': wav((sound, names) => withInfo(sound, names, 'front'), single),
  'riff-info-back': wav((sound, names) => withInfo(sound, names, 'back'), single),
  'wav-id3': wav((sound, names) => withId3Chunk(sound, id3v2(names, 4, 'utf8'))),
  'aiff-id3': byFfmpeg('aiff', ['-write_id3v2', '1', '-id3v2_version', '3']),
}

export function tagRecipes(): Recipe[] {
  return Object.entries(DIALECTS).flatMap(([dialect, { extension, knows, write }]) =>
    Object.entries(NAMES)
      .filter(([, names]) => knows(names))
      .map(([name, names]) => ({
        name: `tags/${dialect}-${name}.${extension}`,
        written: {
          title: names.title ?? null,
          // audile has one text for the artist, in which several stand with a comma between them.
          artist: names.artist === undefined ? null : [names.artist].flat().join(', '),
          album: names.album ?? null,
        },
        make: (studio: Studio, path: string) => write(studio, names, path),
      })),
  )
}

/** An MP3 with bytes around it. */
function mp3(
  around: (names: Names) => { front?: Buffer; back?: Buffer },
  knows: Dialect['knows'] = any,
): Dialect {
  return {
    extension: 'mp3',
    knows,
    async write(studio, names, path) {
      const { front = Buffer.alloc(0), back = Buffer.alloc(0) } = around(names)
      await studio.tool('lame', '--quiet', '-b', '64', studio.wav(SHORT), path)
      writeFileSync(path, Buffer.concat([front, readFileSync(path), back]))
    },
  }
}

function wav(
  change: (wav: Buffer, names: Names) => Buffer,
  knows: Dialect['knows'] = any,
): Dialect {
  return {
    extension: 'wav',
    knows,
    async write(studio, names, path) {
      writeFileSync(path, change(readFileSync(studio.wav(SHORT)), names))
    },
  }
}

function byFfmpeg(extension: string, options: readonly string[], sound: object = SHORT): Dialect {
  return {
    extension,
    knows: single,
    write(studio, names, path) {
      const tags = Object.entries(names).flatMap(([key, text]) => ['-metadata', `${key}=${text}`])
      return studio.ffmpeg(studio.wav(sound), path, ...tags, ...options)
    },
  }
}

function comments({ title, artist = [], album }: Names): string[] {
  return [
    ...(title === undefined ? [] : [`TITLE=${title}`]),
    ...[artist].flat().map((one) => `ARTIST=${one}`),
    ...(album === undefined ? [] : [`ALBUM=${album}`]),
  ]
}
