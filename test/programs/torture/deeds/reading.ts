import type { Audile } from '../../../../src/index.ts'
import { pick, whole } from '../../../support/chance.ts'
import { BASE_CODED, BASE_SONGS, baseSong, codeOf, titleOf, wordOf } from './base.ts'
import { type Kind, Misfortune, WrongAnswer } from './deed.ts'
import { type Import, someSong } from './import.ts'

/** A question whose answer is known. */
interface Reading {
  what: keyof typeof QUESTIONS
  /** What is asked about: an id of a song, a catalog, a ticket, a track. */
  of: string
  song: string
}

/** Asks something of what is there from the beginning, or of what was answered before. */
export const reading: Kind<Reading, object> = {
  name: 'reading',
  weight: 4,
  draw(_op, random, { ground, done }) {
    const base = baseSong(whole(random, 0, BASE_CODED))
    const questions: Reading[] = [
      { what: 'identify', of: base, song: base },
      { what: 'search', of: base, song: base },
      { what: 'profile', of: base, song: baseSong(whole(random, 0, BASE_SONGS)) },
      { what: 'item', of: pick(random, ground.catalogs), song: baseSong(whole(random, 0, 50)) },
    ]
    const last = (kind: string) => done.findLast((one) => one.kind === kind)
    const imported = last('import')
    if (imported) {
      const { id, coded } = someSong(imported.deed as Import, whole(random, 0, 10_000))
      questions.push({ what: coded ? 'identify' : 'search', of: id, song: id })
    }
    const updated = last('update')
    if (updated) {
      questions.push({
        what: 'ticket',
        of: (updated.answer as { ticket: string }).ticket,
        song: '',
      })
    }
    return pick(random, questions)
  },
  async perform(music, { what, of, song }, signal) {
    await QUESTIONS[what](music, of, song, signal)
    return {}
  },
}

type Question = (
  music: Audile,
  of: string,
  song: string,
  signal: AbortSignal | undefined,
) => Promise<void>

/** Each throws unless the answer is right. */
export const QUESTIONS = {
  async identify(music, _of, song, signal) {
    const [found] = await music.songs.identify({ code: codeOf(song), version: 3.15 }, { signal })
    expectSong(found, song, 'is identified')
  },
  async search(music, _of, song, signal) {
    const [found] = await music.songs.search({ title: wordOf(song) }, { signal })
    expectSong(found, song, 'is found by its title')
  },
  async profile(music, _of, song, signal) {
    const [found] = await music.songs.profile({ id: `imported:song:${song}` }, { signal })
    expectSong(found, song, 'is told of')
  },
  async item(music, catalog, song, signal) {
    const handle = await music.catalogs.get({ id: catalog }, { signal })
    const { items } = await handle.read({ itemId: song, signal })
    const rating = Number(song.split('-')[1]) % 11
    if (items[0]?.rating !== rating) {
      throw new WrongAnswer(`item ${song} has the rating ${items[0]?.rating}, not ${rating}`)
    }
  },
  async ticket(music, ticket, _song, signal) {
    const { ticketStatus, details } = await music.call('catalog/wait', { ticket }, { signal })
    if (ticketStatus === 'complete') return
    throw new Misfortune(`ticket ${ticket} is ${ticketStatus}: ${details}`)
  },
} satisfies Record<string, Question>

function expectSong(found: { title: string } | undefined, song: string, how: string): void {
  if (found?.title === titleOf(song)) return
  throw new WrongAnswer(`${song} ${how} as ${found === undefined ? 'nothing' : found.title}`)
}
