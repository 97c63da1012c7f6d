import type { Random } from './music.ts'

/** Names of a song. */
export interface Names {
  artist: string
  title: string
}

/** What is asked, of a song as it is known or of one that is not. */
export interface Corrupted extends Names {
  category: string
}

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One slip of the pen: a letter left out, doubled, mistaken, or two that changed places. */
export function mistyped(random: Random, text: string): string {
  const signs = [...text]
  const places = signs.flatMap((sign, i) => (/\p{L}/u.test(sign) ? [i] : []))
  if (places.length < 3) return text
  const at = pick(random, places)
  const kind = Math.floor(random() * 4)
  if (kind === 0) signs.splice(at, 1)
  else if (kind === 1) signs.splice(at, 0, signs[at] as string)
  else if (kind === 2) signs[at] = pick(random, [...LETTERS])
  else if (at + 1 < signs.length) {
    const [first, second] = [signs[at] as string, signs[at + 1] as string]
    signs.splice(at, 2, second, first)
  }
  return signs.join('')
}

const GUESTS = ['Mary J. Blige', 'Busta Rhymes', 'Sia', 'T-Pain', 'Kesha', 'The Roots', '2 Chainz']
const REMASTERS = [
  ' - 2009 Remaster',
  ' - Remastered 2015',
  ' (Remastered)',
  ' [2003 Remaster]',
  ' (2018 Remastered Version)',
  ' - Digital Remaster',
  ' (Remastered 1999)',
  ' - 2014 Remastered Version',
  ' (24-Bit Remastered)',
  ' - Remasterizado',
  ' (30th Anniversary Remaster)',
]
const ALBUM_VERSIONS = [
  ' (Album Version)',
  ' - Single Version',
  ' (Radio Edit)',
  ' - Radio Edit',
  ' (LP Version)',
  ' [Explicit]',
  ' (Explicit Version)',
  ' (Clean)',
  ' - Mono Version',
  ' (Stereo)',
  ' (Original Mix)',
  ' - Original Version',
  ' (Official Audio)',
  ' (Official Music Video)',
  ' [Lyric Video]',
  ' (Bonus Track)',
  ' (Deluxe Edition)',
  ' - From "The Essential Collection"',
  ' (Single Edit)',
  ' (Main Version)',
  ' (Album Version (Explicit))',
]

/** Ways to write the names of a song otherwise, by category; `undefined` where one does not apply. */
export const CORRUPTIONS: Readonly<
  Record<string, (random: Random, song: Names) => Names | undefined>
> = {
  exact: (_, song) => song,
  typo: (random, { artist, title }) => {
    const which = random()
    const out =
      which < 0.65
        ? { artist, title: mistyped(random, title) }
        : which < 0.9
          ? { artist: mistyped(random, artist), title }
          : { artist: mistyped(random, artist), title: mistyped(random, title) }
    return out.artist === artist && out.title === title ? undefined : out
  },
  case: (random, song) => {
    const change = pick(random, [
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) =>
        [...text]
          .map((sign) => (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase()))
          .join(''),
    ])
    return { artist: change(song.artist), title: change(song.title) }
  },
  whitespace: (random, { artist, title }) =>
    random() < 0.8
      ? { artist: `  ${artist} `, title: title.replaceAll(' ', '  ') }
      : / /.test(title)
        ? { artist, title: title.replace(' ', '') }
        : undefined,
  punctuation: (random, { artist, title }) => {
    const strip = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, random() < 0.8 ? '' : ' ')
    const out = { artist: strip(artist), title: strip(title) }
    if (out.artist === artist && out.title === title) return undefined
    return /\p{L}|\p{N}/u.test(out.title) && /\p{L}|\p{N}/u.test(out.artist) ? out : undefined
  },
  the: (random, { artist, title }) => {
    if (/^the /i.test(artist)) {
      const rest = artist.slice(4)
      return { artist: random() < 0.5 ? rest : `${rest}, The`, title }
    }
    if (/^the \S+/i.test(title)) return { artist, title: title.slice(4) }
    return /[,&]/.test(artist) ? undefined : { artist: `The ${artist}`, title }
  },
  sort_name: (_, { artist, title }) => {
    const words = artist.split(' ')
    if (words.length !== 2 || /[,&]/.test(artist)) return undefined
    return { artist: `${words[1]}, ${words[0]}`, title }
  },
  ampersand: (random, song) => {
    const swap = (text: string) =>
      / & /.test(text)
        ? text.replace(/ & /, pick(random, [' and ', ' + ', ' &amp; ']))
        : text.replace(/ and /i, ' & ')
    const out = { artist: swap(song.artist), title: swap(song.title) }
    return out.artist === song.artist && out.title === song.title ? undefined : out
  },
  feat: (random, { artist, title }) => {
    const guest = pick(random, GUESTS)
    const names = artist.split(/, | & /)
    const ways: (() => Names | undefined)[] = [
      () => ({ artist: `${artist} feat. ${guest}`, title }),
      () => ({ artist: `${artist} Featuring ${guest}`, title }),
      () => ({ artist: `${artist} (ft. ${guest})`, title }),
      () => ({ artist, title: `${title} (feat. ${guest})` }),
      () => ({ artist, title: `${title} ft. ${guest}` }),
      () => ({ artist, title: `${title} [Featuring ${guest}]` }),
      () => (names.length > 1 ? { artist: names[0] as string, title } : undefined),
      () => (names.length > 1 ? { artist: names.join(' x '), title } : undefined),
      () => (names.length > 1 ? { artist: [...names].reverse().join(', '), title } : undefined),
      () =>
        names.length > 1
          ? { artist: `${names[0]} feat. ${names.slice(1).join(' & ')}`, title }
          : undefined,
    ]
    return pick(random, ways)()
  },
  remaster: (random, { artist, title }) => ({ artist, title: title + pick(random, REMASTERS) }),
  album_version: (random, { artist, title }) => ({
    artist,
    title: title + pick(random, ALBUM_VERSIONS),
  }),
  unicode: (random, { artist, title }) => {
    const strip = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
    const misread = (text: string) =>
      new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))
    const changes = [
      strip,
      (text: string) => text.normalize('NFD'),
      (text: string) => text.replaceAll("'", '’').replaceAll(' - ', ' – '),
      misread,
      (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
    ]
    const change = pick(random, changes)
    const out = { artist: change(artist), title: change(title) }
    return out.artist === artist && out.title === title ? undefined : out
  },
  filename: (random, { artist, title }) => {
    const number = String(1 + Math.floor(random() * 20)).padStart(2, '0')
    const ways = [
      `${number} - ${title}`,
      `${number}. ${title}`,
      `${number} ${title}`,
      `${number}_${title.replaceAll(' ', '_')}`,
      `1-${number} ${title}`,
      `${number} - ${artist} - ${title}`,
      `${artist} - ${title}.mp3`,
      `${number} ${title}.flac`,
      `${artist} - ${number} - ${title}`,
      `(${number}) ${title}`,
      `${artist.replaceAll(' ', '_')}-${title.replaceAll(' ', '_')}.mp3`,
    ]
    return { artist, title: pick(random, ways) }
  },
  one_field: (random, { artist, title }) => ({
    artist: '',
    title: pick(random, [
      `${artist} - ${title}`,
      `${artist} – ${title}`,
      `${title} - ${artist}`,
      `${artist} — ${title}`,
    ]),
  }),
  swapped: (_, { artist, title }) => ({ artist: title, title: artist }),
  id3v1_truncated: (_, { artist, title }) => {
    if (artist.length <= 30 && title.length <= 30) return undefined
    return { artist: artist.slice(0, 30).trim(), title: title.slice(0, 30).trim() }
  },
  two_corruptions: (random, song) => {
    const names = ['feat', 'remaster', 'case', 'album_version', 'typo', 'filename', 'punctuation']
    const one = CORRUPTIONS[pick(random, names)]?.(random, song)
    const other = CORRUPTIONS[pick(random, ['remaster', 'case', 'feat', 'the', 'unicode'])]
    return one && other?.(random, one)
  },
}

const TRIBUTES: readonly ((song: Names) => Names)[] = [
  ({ artist, title }) => ({ artist: `${artist} Tribute Band`, title }),
  ({ artist, title }) => ({ artist: `${artist} Karaoke Band`, title }),
  ({ artist, title }) => ({ artist: `A Tribute to ${artist}`, title }),
  ({ title }) => ({ artist: 'Karaoke Universe', title: `${title} (Karaoke Version)` }),
  ({ artist, title }) => ({ artist, title: `${title} (Karaoke Version)` }),
  ({ artist, title }) => ({
    artist: 'Party Tyme Karaoke',
    title: `${title} (Made Popular By ${artist}) [Karaoke Version]`,
  }),
  ({ artist, title }) => ({
    artist: 'The Hit Crew',
    title: `${title} (In the Style of ${artist})`,
  }),
  ({ artist, title }) => ({ artist: 'Piano Tribute Players', title: `${title} (${artist})` }),
  ({ title }) => ({ artist: 'Twinkle Twinkle Little Rock Star', title }),
  ({ artist, title }) => ({
    artist: 'Lullaby Players',
    title: `${title} (Lullaby Version of ${artist})`,
  }),
  ({ artist, title }) => ({
    artist: 'ProSource Karaoke',
    title: `${title} (Originally Performed By ${artist}) [Instrumental]`,
  }),
  ({ artist, title }) => ({ artist: `${artist} Cover Band`, title }),
  ({ title }) => ({ artist: 'Various Artists', title: `${title} (Tribute)` }),
]

/** A recording by others who play a song, or for those who want to sing it. */
export function tribute(random: Random, song: Names): Names {
  return pick(random, TRIBUTES)(song)
}

/** What stands in tags that nobody filled in. */
export const JUNK: readonly Names[] = [
  { artist: 'Unknown Artist', title: 'Track 05' },
  { artist: 'Unknown', title: 'Unknown' },
  { artist: 'Various', title: 'Track 12' },
  { artist: '', title: 'Untitled' },
  { artist: '', title: 'Home' },
  { artist: '', title: 'Track 3' },
  { artist: 'AudioTrack', title: '01' },
  { artist: 'xxx', title: 'yyy' },
  { artist: 'Artist', title: 'Title' },
  { artist: 'test', title: 'test' },
  { artist: 'VA', title: 'Outro' },
  { artist: 'lkjh', title: 'poiu' },
  { artist: 'DJ', title: 'Mix' },
  { artist: 'Soundtrack', title: 'Main Theme' },
  { artist: '?', title: '???' },
]
