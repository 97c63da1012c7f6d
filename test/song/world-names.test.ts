import { describe, expect, it } from 'vitest'
import { nameKey } from '../../src/naming/names.ts'
import { matchSong } from '../../src/song/match.ts'
import { named } from '../support/named-songs.ts'
import { WORLD_NAMES, type WorldName } from '../support/world-names.ts'

type Song = readonly [artist: string, title: string]

/** Songs beside those that are meant: by the same artists, with similar names, other versions. */
const OTHERS: readonly Song[] = [
  ['AC/DC', 'Highway to Hell'],
  ['Metallica', 'Sad But True'],
  ['Metallica', 'The Memory Remains'],
  ['Scorpions', 'Send Me An Angel'],
  ['Linkin Park', 'Faint'],
  ['Rihanna', 'Te Amo'],
  ['Kino', 'Восьмиклассница'],
  ['Zemfira Mironova', 'Kamchatka'],
  ['t.A.T.u.', 'All The Things She Said'],
  ['Hikaru Utada', 'Time'],
  ['Ryuichi Sakamoto', 'Rain'],
  ['YOASOBI', '三原色'],
  ['YOASOBI', '群青'],
  ['Aimyon', '桜が降る夜は'],
  ['Wegz', 'علي راحتي'],
  ['Fairuz', "Dhia'Anou"],
  ['Ofra Haza', 'אדמה'],
  ['Ishay Ribo', 'לשוב הביתה'],
  ['Zohar Argov', 'יושב לבד'],
  ['Ludwig van Beethoven', 'Symphony No. 1 in C Major, Op. 21: I. Adagio molto - Allegro con brio'],
  ['Ludwig van Beethoven', 'Symphony No. 5 in C Minor, Op. 67: II. Andante con moto'],
  ['Frédéric Chopin', 'Nocturnes, Op. 9: No. 1 in B-Flat Minor'],
  ['Malcolm Arnold', 'Concerto for Flute and Strings, Op. 45: I. Allegro energico'],
  ['Jean Sibelius', 'Violin Concerto in D Minor, Op. 47: I. Allegro moderato'],
  ['Edvard Grieg', 'Piano Concerto in A Minor, Op. 16: I. Allegro molto moderato'],
  ['Nirvana', 'Smells Like Teen Spirit'],
]

const songs = (): Song[] => {
  const meant = WORLD_NAMES.flatMap(({ song }) => song?.split(' | ') ?? [])
  return [...[...new Set(meant)].map((song) => song.split(' — ') as [string, string]), ...OTHERS]
}

/** Names that are known to be missed: 싸이 spells neither the P nor the Y of PSY. */
const MISSED = new Set(['싸이 – 강남스타일'])

const written = ({ artist, title }: WorldName) => `${artist} – ${title}`

describe('names as files and people of all countries write them', () => {
  it.each([...new Set(WORLD_NAMES.map(({ kind }) => kind))])(
    '%s: find their songs, and no other',
    (kind) => {
      const { context, show } = named(songs())
      const answers = WORLD_NAMES.filter((one) => one.kind === kind).map((one) => {
        const { artist, title, song } = one
        const answer = show(
          matchSong(context, { songName: title, ...(artist && { artistName: artist }) }),
        )
        const isRight = song?.split(' | ').some((known) => nameKey(known) === nameKey(answer ?? ''))
        return { name: written(one), answer: isRight ? 'right' : answer }
      })
      expect(answers).toEqual(
        WORLD_NAMES.filter((one) => one.kind === kind).map((one) => ({
          name: written(one),
          answer: one.song === undefined || MISSED.has(written(one)) ? undefined : 'right',
        })),
      )
    },
  )
})
