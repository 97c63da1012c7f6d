import { COMMON_WORDS } from '../../../src/feed/common-words.ts'
import { nameKey } from '../../../src/naming/names.ts'
import { CORRUPTIONS, JUNK, mistyped, type Names, tribute } from '../../support/corruptions.ts'
import { type Random, seeded } from '../../support/music.ts'

/** A question, and the song that is meant; `null` if it is not there. */
export interface Question {
  kind: string
  artist: string
  /** Absent when the artist alone is asked for. */
  title?: string
  truth: Names | null
}

/** Songs that are known, and questions about them and about others. */
export interface MadeNames {
  songs: readonly Names[]
  questions: readonly Question[]
}

const ARTISTS = 900
const SONGS_OF_EACH = 5
/** Every so-manieth song is kept from the list: what is asked of those is not there. */
const HELD_BACK = 7

/**
 * Names made of English words and of made-up ones, in the shapes that names of music have: several
 * artists, numbers, parts, additions, versions; with other songs whose names differ by a word. No
 * collection of music was read for them.
 *
 * @param each - questions of each kind
 */
export function madeNames(seed: number, each: number): MadeNames {
  const random = seeded(seed)
  const make = new Maker(random)
  const artists = Array.from({ length: ARTISTS }, () => make.artist())
  artists.push(...artists.slice(0, ARTISTS / 10).flatMap((name) => make.nearArtist(name) ?? []))
  const all = new Map<string, Names>()
  for (const artist of artists) {
    for (let i = 0; i < SONGS_OF_EACH; i++) {
      const credit = make.credit(artist, artists)
      const title = make.coverOr(() => make.title())
      for (const one of make.relatives(title)) {
        all.set(`${artist}\n${one}`, { artist: credit, title: one })
      }
    }
  }
  const list = [...all.values()]
  const songs = list.filter((_, i) => i % HELD_BACK > 0)
  const absent = list.filter((_, i) => i % HELD_BACK === 0)
  const questions: Question[] = []
  const ask = (
    kind: string,
    make: () => Names | undefined,
    truth: (asked: Names) => Names | null,
  ) => {
    for (let made = 0, tries = 0; made < each && tries < 40 * each; tries++) {
      const names = make()
      if (!names?.title.trim()) continue
      questions.push({ kind, ...names, truth: truth(names) })
      made++
    }
  }
  const of = (from: readonly Names[], damage: (song: Names) => Names | undefined) => {
    let song: Names = { artist: '', title: '' }
    return {
      make: () => {
        song = make.any(from)
        return damage(song)
      },
      truth: () => song,
    }
  }
  const damages = { ...CORRUPTIONS, ...MORE_DAMAGE }
  for (const [kind, damage] of Object.entries(damages)) {
    const known = of(songs, (song) => damage(random, song))
    ask(kind, known.make, known.truth)
  }
  // What is not there, written right or not.
  const nothing = () => null
  ask('absent', () => make.any(absent), nothing)
  ask('absent, damaged', () => make.any(Object.values(damages))(random, make.any(absent)), nothing)
  ask('another artist', () => ({ ...make.any(songs), artist: make.artist() }), nothing)
  ask('a near artist', () => make.byNearArtist(make.any(songs)), nothing)
  ask('another title', () => ({ ...make.any(songs), title: make.title() }), nothing)
  ask('another word', () => make.otherWord(make.any(songs)), nothing)
  ask('another version', () => make.otherVersion(make.any(songs)), nothing)
  ask('tribute', () => tribute(random, make.any(songs)), nothing)
  // Artists alone.
  const mains = new Map(artists.map((name) => [nameKey(name), name]))
  for (let i = 0; i < 4 * each; i++) {
    const artist = make.any(artists)
    const damage = make.any(ARTIST_DAMAGE)
    questions.push({ kind: 'artist', artist: damage(random, artist), truth: { artist, title: '' } })
    const near = make.nearArtist(artist) ?? make.artist()
    const other = make.oneLetter(artist)
    if (i % 4 === 0 && !mains.has(nameKey(other))) {
      questions.push({ kind: 'other letter', artist: other, truth: null })
    }
    if (!mains.has(nameKey(near)))
      questions.push({ kind: 'near artist', artist: near, truth: null })
  }
  for (const junk of JUNK) questions.push({ kind: 'junk', ...junk, truth: null })
  return { songs, questions }
}

const VERSIONS = (word: string) => [
  ' (Live)',
  ` (Live at ${word})`,
  ' - Live',
  ' (Acoustic)',
  ' (Demo)',
  ` (${word} Remix)`,
  ` - ${word} Remix`,
  ' (Instrumental)',
  ' (Extended Mix)',
  ' (Karaoke Version)',
  ' (Reprise)',
]
const IS_VERSION = /live|acoustic|demo|mix|instrumental|version|reprise/i
const DECORATIONS = (word: string) => [
  ' (Remastered)',
  ' - 2009 Remaster',
  ' (Album Version)',
  ` (feat. ${word})`,
  ' [Explicit]',
]

class Maker {
  readonly #random: Random
  readonly #common = [...COMMON_WORDS].filter((word) => /^[a-z]+$/.test(word))
  readonly #rare: readonly string[]
  readonly #titles: string[] = []

  constructor(random: Random) {
    this.#random = random
    const syllables = [...'bcdfghjklmnprstvwz', 'st', 'br', 'ch', 'th'].flatMap((start) =>
      [...'aeiou', 'an', 'er', 'in', 'ol', 'ai'].map((end) => start + end),
    )
    this.#rare = Array.from({ length: 4000 }, () =>
      capital(Array.from({ length: 1 + this.#below(3) }, () => this.any(syllables)).join('')),
    )
  }

  any<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  /** Of a few words much more often than of others, as in languages. */
  #often(list: readonly string[]): string {
    return list[Math.floor(list.length * this.#random() ** 2.5)] as string
  }

  word(): string {
    return this.#random() < 0.6 ? capital(this.#often(this.#common)) : this.#often(this.#rare)
  }

  #words(least: number, most: number): string {
    const length = least + this.#below(most - least + 1)
    return Array.from({ length }, () => this.word()).join(' ')
  }

  #name(): string {
    return `${this.#often(this.#rare)} ${this.any(this.#rare)}`
  }

  artist(): string {
    const kind = this.#random()
    if (kind < 0.35) return this.#name()
    if (kind < 0.5) return `The ${this.#words(1, 2)}`
    if (kind < 0.6) return this.any(this.#rare)
    if (kind < 0.75) return this.#words(2, 3)
    if (kind < 0.82) return `${this.#name()} & ${this.#name()}`
    if (kind < 0.86) return `${this.#name()} and His Orchestra`
    if (kind < 0.9) return `DJ ${this.word()}`
    if (kind < 0.94) return `${this.word()} ${1 + this.#below(99)}`
    if (kind < 0.97) return `${this.#often(this.#rare)}'${this.any(this.#rare)}`
    return accented(this.#name())
  }

  /** An artist alone, or with others. */
  credit(artist: string, others: readonly string[]): string {
    const kind = this.#random()
    if (kind < 0.85) return artist
    if (kind < 0.93) return `${artist}, ${this.any(others)}`
    return `${artist} feat. ${this.any(others)}`
  }

  /** A title that another song has already, or a new one. */
  coverOr(make: () => string): string {
    if (this.#titles.length > 0 && this.#random() < 0.12) return this.any(this.#titles)
    const title = make()
    this.#titles.push(title)
    return title
  }

  /** An artist with one other word. */
  nearArtist(name: string): string | undefined {
    return this.otherWord({ artist: '', title: name })?.title
  }

  /** Another name of one other letter, most often the first: Nora and Cora. */
  oneLetter(name: string): string {
    const at = this.#random() < 0.5 ? 0 : this.#below(name.length)
    return name.slice(0, at) + this.any([...'bcdfgklmnprst']) + name.slice(at + 1)
  }

  byNearArtist({ artist, title }: Names): Names | undefined {
    const near = this.nearArtist(artist)
    return near === undefined ? undefined : { artist: near, title }
  }

  title(): string {
    const kind = this.#random()
    const title = this.#words(1, 5)
    if (kind < 0.08) return `The ${title}`
    if (kind < 0.16) return `${title} (${this.#words(1, 3)})`
    if (kind < 0.2) return `${title} No. ${1 + this.#below(9)} in ${this.any([...'ABCDEFG'])} Minor`
    if (kind < 0.24) return `${1 + this.#below(100)} ${title}`
    if (kind < 0.27) return `${title}: ${this.#words(1, 4)}`
    if (kind < 0.3) return accented(title)
    return title
  }

  /** A title, and for some others of the same song: versions, parts, decorated ones. */
  relatives(title: string): string[] {
    const kind = this.#random()
    const word = this.word()
    if (kind < 0.1) return [title, title + this.any(VERSIONS(word))]
    if (kind < 0.14) return [title + this.any(VERSIONS(word))]
    if (kind < 0.18) return [`${title}, Pt. 1`, `${title}, Pt. 2`]
    if (kind < 0.2) return [`${title} II`, `${title} III`]
    if (kind < 0.28) return [title + this.any(DECORATIONS(word))]
    if (kind < 0.31) return [title, this.otherWord({ artist: '', title })?.title ?? title]
    return [title]
  }

  /** A song whose title has one other word, as near as `American Pie` and `American Life`. */
  otherWord({ artist, title }: Names): Names | undefined {
    const words = title.split(' ')
    const at = this.#below(words.length)
    const before = words[at] ?? ''
    if (words.length < 2 || /[^\p{L}]/u.test(before)) return undefined
    const near = this.#common.filter(
      (word) => Math.abs(word.length - before.length) < 2 && word[0] === before[0]?.toLowerCase(),
    )
    const word = near.length > 0 && this.#random() < 0.7 ? capital(this.any(near)) : this.word()
    if (word.toLowerCase() === before.toLowerCase()) return undefined
    return { artist, title: words.with(at, word).join(' ') }
  }

  /** A version of a song of which there is none. */
  otherVersion({ artist, title }: Names): Names | undefined {
    if (IS_VERSION.test(title)) return undefined
    return { artist, title: `${title}${this.any(VERSIONS(this.word()))}` }
  }
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}

const ACCENTS: Readonly<Record<string, string>> = { a: 'ä', e: 'é', o: 'ö', i: 'í', u: 'ü', n: 'ñ' }

function accented(text: string): string {
  return text.replace(/[aeioun]/, (letter) => ACCENTS[letter] ?? letter)
}

// How tables of transliteration differ: Yo and Jo, ch and tch.
const TRANSLITERATIONS: readonly (readonly [string, string])[] = [
  ['ch', 'tch'],
  ['j', 'y'],
  ['v', 'w'],
  ['k', 'c'],
  ['z', 'ts'],
  ['i', 'y'],
]

/** What becomes of the name of an artist. */
const ARTIST_DAMAGE: readonly ((random: Random, artist: string) => string)[] = [
  mistyped,
  mistyped,
  (random, artist) => mistyped(random, mistyped(random, artist)),
  (_, artist) => artist.toUpperCase(),
  (_, artist) => `${artist} feat. Kesha`,
  (_, artist) => artist.replace(/^The (.+)$/, '$1, The'),
  (_, artist) => artist.replace(/^(\S+) (\S+)$/, '$2, $1'),
]

/** Damage besides that of {@link CORRUPTIONS}. */
const MORE_DAMAGE: typeof CORRUPTIONS = {
  transliterated: (random, { artist, title }) => {
    const [from, to] = TRANSLITERATIONS[Math.floor(random() * TRANSLITERATIONS.length)] ?? ['', '']
    const changed = (text: string) => (text.length < 8 ? text : text.replace(from, to))
    const [first, second] = [changed(artist), changed(title)]
    return first === artist && second === title ? undefined : { artist: first, title: second }
  },
  twice_misread: (_, { artist, title }) => {
    const misread = (text: string) =>
      new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))
    const twice = { artist: misread(misread(artist)), title: misread(misread(title)) }
    return twice.artist === artist && twice.title === title ? undefined : twice
  },
  cluttered: (random, { artist, title }) => {
    const clutter = [' [320kbps]', ' (HQ)', ' - YouTube', ' (Lyrics)', ' [HD]', ' (with lyrics)']
    return { artist, title: title + clutter[Math.floor(random() * clutter.length)] }
  },
  without_addition: (_, { artist, title }) => {
    const bare = title.replace(/ \([^)]*\)$/, '')
    return bare === title || IS_VERSION.test(title) ? undefined : { artist, title: bare }
  },
  numerals: (_, { artist, title }) => {
    const other = title.replace(
      /, Pt\. ([12])/,
      (_all, part) => ` Part ${part === '1' ? 'I' : 'II'}`,
    )
    return other === title ? undefined : { artist, title: other }
  },
  // Little words that people leave out, or add.
  little_words: (random, { artist, title }) => {
    const words = title.split(' ')
    if (words.length < 3) return undefined
    const at = words.findIndex((word, i) => i > 0 && /^(?:the|a|an|and|of|in)$/i.test(word))
    const changed =
      at > 0 ? words.toSpliced(at, 1) : words.toSpliced(1, 0, random() < 0.7 ? 'the' : 'a')
    return { artist, title: changed.join(' ') }
  },
  other_ending: (_, { artist, title }) => {
    const other = title.replace(/(?<=\w{4})(?:ie|er|ing|in)\b/, (end) =>
      end === 'ie' ? 'y' : 'ee',
    )
    return other === title ? undefined : { artist, title: other }
  },
  other_order: (_, { artist, title }) => {
    const words = artist.split(' ')
    return words.length === 2 ? { artist: words.toReversed().join(' '), title } : undefined
  },
  two_scripts: (random, { artist, title }) => {
    const other = ['Песня', '노래', 'うた', 'أغنية'][Math.floor(random() * 4)]
    return { artist, title: random() < 0.5 ? `${title} ${other}` : `${other} (${title})` }
  },
  spaces: (random, { artist, title }) => {
    const from = random() < 0.5 ? title : artist
    const joined = from.replace(' ', '')
    if (joined === from) return undefined
    return from === title ? { artist, title: joined } : { artist: joined, title }
  },
  counted: (_, { artist, title }) => {
    const words = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
    const counted = artist.replace(/ (\d)$/, (_all, digit) => ` ${words[Number(digit)]}`)
    return counted === artist ? undefined : { artist: counted, title }
  },
  main_artist: (_, { artist, title }) => {
    const [main = ''] = artist.split(/, | & | feat\. | and His /)
    return main === artist ? undefined : { artist: main, title }
  },
  two_slips: (random, { artist, title }) => {
    const slipped = mistyped(random, mistyped(random, title))
    return title.length < 12 || slipped === title ? undefined : { artist, title: slipped }
  },
}
