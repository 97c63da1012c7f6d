import type { IAudioMetadata } from 'music-metadata'
import { LONGEST_NAME } from '../text.ts'
import { cleanText } from './tag-text.ts'

/** The names that a tag gives a piece of music; a name may have several values. */
export interface TagNames {
  title?: string[]
  artist?: string[]
  release?: string[]
}

const NAMES = ['title', 'artist', 'release'] as const

/** Values of a name, or of a list, that are read at most. */
export const MOST_VALUES = 100

const VORBIS = { title: ['TITLE'], artist: ['ARTIST', 'ARTISTS'], release: ['ALBUM'] }
const ID3V2 = { title: ['TIT2'], artist: ['TPE1', 'TXXX:ARTISTS'], release: ['TALB'] }

/**
 * By kind of tag, the fields that hold each name, in capitals and in order of preference. The kinds
 * have music-metadata's names, except `INFO` (a LIST chunk of WAV) and `AIFF` (its own chunks).
 */
const FIELDS = {
  vorbis: VORBIS,
  APEv2: VORBIS,
  iTunes: {
    title: ['©NAM'],
    artist: ['©ART', '----:COM.APPLE.ITUNES:ARTISTS'],
    release: ['©ALB'],
  },
  'ID3v2.4': ID3V2,
  'ID3v2.3': ID3V2,
  'ID3v2.2': { title: ['TT2'], artist: ['TP1'], release: ['TAL'] },
  // Titles and artists have levels, which music-metadata weighs.
  matroska: { title: [], artist: [], release: ['ALBUM:TITLE', 'TRACK:ALBUM'] },
  INFO: { title: ['INAM', 'TITL'], artist: ['IART'], release: ['IPRD'] },
  AIFF: { title: ['NAME'], artist: ['AUTH'], release: [] },
} satisfies Record<string, Record<keyof TagNames, string[]>>

type TagKind = keyof typeof FIELDS

/** The name that a field of a tag holds, if any. */
export function nameIn(kind: TagKind, id: string): keyof TagNames | undefined {
  const fields: Record<keyof TagNames, string[]> = FIELDS[kind]
  return NAMES.find((name) => fields[name].includes(id))
}

/** The names in each of these kinds of tag as music-metadata has read them, all values of each. */
export function nativeNames(
  native: IAudioMetadata['native'],
  kinds: readonly TagKind[],
): TagNames[] {
  return kinds.map((kind) => {
    const names: TagNames = {}
    for (const name of NAMES) {
      for (const id of FIELDS[kind][name]) {
        const values = (native[kind] ?? [])
          .filter((tag) => tag.id.toUpperCase() === id)
          .map(({ value }) => textOf(value))
          .filter((value) => value !== undefined)
        // music-metadata splits a name of ID3v2.2 and 2.3 at each "/".
        const split = /^ID3v2\.[23]$/.test(kind) && !id.includes(':')
        if (values.length > 0) names[name] ??= split ? [values.join('/')] : values
      }
    }
    return names
  })
}

/**
 * The names in tags of any other kind, as music-metadata ranks them, but not those of ID3v1, whose
 * encoding it does not know.
 */
export function otherNames({
  common,
  native,
}: Pick<IAudioMetadata, 'common' | 'native'>): TagNames {
  const id3v1 = new Set((native.ID3v1 ?? []).map(({ value }) => value))
  const { title, artist, album: release } = common
  const names: TagNames = {}
  for (const [name, value] of Object.entries({ title, artist, release })) {
    const plain = textOf(value)
    if (plain !== undefined && !id3v1.has(value)) names[name as keyof TagNames] = [plain]
  }
  return names
}

/** Each name from the first tag that has it, its values joined. */
export function firstNames(ranked: readonly TagNames[]): Partial<Record<keyof TagNames, string>> {
  const found: Partial<Record<keyof TagNames, string>> = {}
  for (const name of NAMES) {
    const values = ranked.find((names) => names[name])?.[name]?.slice(0, MOST_VALUES) ?? []
    const joined = textOf([...new Set(values)].join(', '))
    if (joined !== undefined) found[name] = joined
  }
  return found
}

/** A value of a tag as text, no longer than names may be; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? cleanText(value)?.slice(0, LONGEST_NAME).trimEnd() || undefined
    : undefined
}
