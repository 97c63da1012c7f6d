import { createHash } from 'node:crypto'
import { Dice } from '../hostile/dice.ts'
import { formFile, riffFile } from './chunk-files.ts'
import { someEndTags } from './end-tags.ts'
import { flacPiece } from './flac-file.ts'
import type { Id3Version } from './id3-frames.ts'
import { type Id3Layout, someId3v2 } from './id3-tag.ts'
import { fragmentedFile, type Mp4Base, type Mp4Kind, mp4File } from './mp4-file.ts'
import type { OggSound } from './ogg-file.ts'
import { oggFile } from './ogg-odd.ts'
import { joinPieces, type KeptPart, keptPiece, loosePiece, type Piece } from './pieces.ts'
import type { Sounds } from './sounds.ts'
import { binaryBytes, isChosen } from './texts.ts'

/** A file with tags that are odd in some way, and what must still be in it after a write. */
export interface OddFile {
  kind: string
  /** Its name on disk. */
  name: string
  /** What is odd about it. */
  oddities: string
  bytes: Buffer
  kept: readonly KeptPart[]
}

interface Made {
  piece: Piece
  names: readonly string[]
  /** Where it is not that of the kind. */
  extension?: string
}

interface OddKind {
  extension: string
  /** `undefined`: there is no sound of this kind on this machine. */
  make: (dice: Dice, sounds: Sounds) => Made | undefined
}

/** Tags before and behind the sound of an MP3 file. */
function taggedMp3(
  dice: Dice,
  { mp3 }: Sounds,
  { tags, endShare }: { tags: readonly { piece: Piece; name: string }[]; endShare: number },
): Made | undefined {
  if (!mp3) return undefined
  const end = someEndTags(dice, endShare)
  const sound = keptPiece('sound', 'sound', dice.pick(mp3))
  const names = [...tags.map(({ name }) => name), ...end.names]
  return { piece: joinPieces([...tags.map(({ piece }) => piece), sound, end.piece]), names }
}

function mp3Kind(version: Id3Version, special: (dice: Dice) => Partial<Id3Layout>): OddKind {
  const make = (dice: Dice, sounds: Sounds) =>
    taggedMp3(dice, sounds, { tags: [someId3v2(dice, version, special(dice))], endShare: 0.15 })
  return { extension: 'mp3', make }
}

const maybeTag = (dice: Dice, share: number) => {
  if (!isChosen(dice, share)) return undefined
  return someId3v2(dice, dice.pick([2, 3, 3, 4] as const))
}

const chunked =
  (is64: boolean) =>
  (dice: Dice, { plain }: Sounds): Made => {
    const tag = maybeTag(dice, 0.7)
    const { piece, names } = riffFile(dice, plain, { tag: tag?.piece, is64 })
    return { piece, names: [...names, ...(tag ? [tag.name] : [])] }
  }

const ogg =
  (sound: (sounds: Sounds) => OggSound | undefined, isOdd = false) =>
  (dice: Dice, sounds: Sounds): Made | undefined => {
    const one = sound(sounds)
    return one && oggFile(dice, one, isOdd)
  }

const mp4 =
  (base: (sounds: Sounds) => Mp4Base | undefined, kind: Partial<Mp4Kind> = {}) =>
  (dice: Dice, sounds: Sounds): Made | undefined => {
    const one = base(sounds)
    return one && mp4File(dice, one, { hasChapters: false, isQuickTime: false, ...kind })
  }

function behindId3v2(dice: Dice, made: Made | undefined, extension: string): Made | undefined {
  if (!made) return undefined
  const { piece, name } = someId3v2(dice, dice.pick([3, 4] as const), { hasFooter: false })
  return { piece: joinPieces([piece, made.piece]), names: [name, ...made.names], extension }
}

/** All kinds of files; each is a row of the table. */
export const ODD_KINDS: Readonly<Record<string, OddKind>> = {
  'mp3 ID3v2.2': mp3Kind(2, () => ({})),
  'mp3 ID3v2.3': mp3Kind(3, () => ({})),
  'mp3 ID3v2.4': mp3Kind(4, () => ({})),
  'mp3 plain sizes': mp3Kind(4, (dice) => ({
    plainSizes: dice.pick(['all', 'all', 'large', 'pictures']),
    unsynchronised: 'none',
  })),
  'mp3 unsynchronised': mp3Kind(3, () => ({ unsynchronised: 'tag' })),
  'mp3 end tags': {
    extension: 'mp3',
    make: (dice, sounds) => {
      const tag = maybeTag(dice, 0.4)
      return taggedMp3(dice, sounds, { tags: tag ? [tag] : [], endShare: 0.75 })
    },
  },
  'mp3 two tags': {
    extension: 'mp3',
    make: (dice, sounds) => {
      const versions = [0, 1].map(() => dice.pick([2, 3, 4] as const))
      const tags = versions.map((version) => someId3v2(dice, version))
      return taggedMp3(dice, sounds, { tags, endShare: 0.15 })
    },
  },
  'mp3 junk': {
    extension: 'mp3',
    make: (dice, sounds) => {
      const junk = loosePiece(Buffer.alloc(dice.between(1, 900)))
      const trailing = keptPiece('trailing bytes', 'sound', binaryBytes(dice, dice.between(1, 300)))
      const made = taggedMp3(dice, sounds, { tags: [someId3v2(dice, 3)], endShare: 0 })
      if (!made) return undefined
      const { bytes, kept } = made.piece
      const parts = isChosen(dice, 0.5) ? [junk, { bytes, kept }] : [{ bytes, kept }, trailing]
      return { piece: joinPieces(parts), names: [...made.names, 'junk'] }
    },
  },
  aac: {
    extension: 'aac',
    make: (dice, { aac }) => {
      if (!aac) return undefined
      const tag = maybeTag(dice, 0.8)
      const end = someEndTags(dice, 0.15)
      const pieces = [...(tag ? [tag.piece] : []), keptPiece('sound', 'sound', aac), end.piece]
      return { piece: joinPieces(pieces), names: [tag?.name ?? 'no tag', ...end.names] }
    },
  },
  wav: { extension: 'wav', make: chunked(false) },
  rf64: { extension: 'wav', make: chunked(true) },
  aiff: {
    extension: 'aiff',
    make: (dice, { plain }) => {
      const tag = maybeTag(dice, 0.7)
      const isCompressed = isChosen(dice, 0.4)
      const { piece, names } = formFile(dice, plain, { tag: tag?.piece, isCompressed })
      return { piece, names: [...names, ...(tag ? [tag.name] : [])] }
    },
  },
  flac: { extension: 'flac', make: (dice, { flac }) => flac && flacPiece(dice, flac) },
  'ogg vorbis': { extension: 'ogg', make: ogg(({ vorbis }) => vorbis) },
  opus: { extension: 'opus', make: ogg(({ opus }) => opus) },
  'ogg flac': { extension: 'oga', make: ogg(({ oggFlac }) => oggFlac) },
  'ogg odd streams': {
    extension: 'ogg',
    make: (dice, sounds) => {
      const all = [sounds.vorbis, sounds.opus, sounds.oggFlac].filter((one) => one !== undefined)
      return all.length === 0 ? undefined : oggFile(dice, dice.pick(all), true)
    },
  },
  'behind ID3v2': {
    extension: 'flac',
    make: (dice, { flac, vorbis, plain }) => {
      const choice = dice.pick(['flac', 'flac', 'ogg', 'wav'])
      if (choice === 'wav')
        return behindId3v2(dice, riffFile(dice, plain, { tag: undefined, is64: false }), 'wav')
      if (choice === 'ogg') return behindId3v2(dice, vorbis && oggFile(dice, vorbis, false), 'ogg')
      return behindId3v2(dice, flac && flacPiece(dice, flac), 'flac')
    },
  },
  m4a: { extension: 'm4a', make: mp4(({ m4a }) => m4a) },
  'm4b Nero chapters': { extension: 'm4b', make: mp4(({ m4a }) => m4a, { hasChapters: true }) },
  'm4b chapter track': {
    extension: 'm4b',
    make: mp4(({ chapters }) => chapters, { hasChapters: true }),
  },
  alac: { extension: 'm4a', make: mp4(({ alac }) => alac) },
  'm4a fragmented': {
    extension: 'm4a',
    make: (dice, { fragmented }) =>
      fragmented && { piece: fragmentedFile(dice, fragmented), names: ['fragments'] },
  },
  quicktime: { extension: 'mov', make: mp4(({ mov }) => mov, { isQuickTime: true }) },
}

/** So many files, the kinds in turn, no two with the same bytes; `number` is the first one's. */
export function* oddFiles(
  seed: number,
  { count, only, sounds }: { count: number; only: string | undefined; sounds: Sounds },
): Generator<OddFile> {
  const kinds = Object.entries(ODD_KINDS).filter(([kind]) => only === undefined || kind === only)
  const sums = new Set<string>()
  let number = 0
  for (let turn = 0; number < count; turn++) {
    const before = number
    for (const [kind, { extension, make }] of kinds) {
      if (number >= count) return
      // Each file has its own chance, so that one alone can be made again.
      const dice = new Dice(
        Math.imul(seed, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b) ^ hashed(kind),
      )
      const made = make(dice, sounds)
      if (!made) continue
      const sum = createHash('md5').update(made.piece.bytes).digest('hex')
      const isNew = !sums.has(sum)
      sums.add(sum)
      if (!isNew) continue
      const name = `${kind.replaceAll(' ', '-')}-${turn}.${made.extension ?? extension}`
      const { bytes, kept } = made.piece
      number++
      yield { kind, name, oddities: made.names.join('; '), bytes, kept }
    }
    if (number === before && turn > 20) return
  }
}

function hashed(text: string): number {
  return createHash('md5').update(text).digest().readInt32LE(0)
}
