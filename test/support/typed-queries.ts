import { pick, type Random, seeded, shuffled, whole } from './chance.ts'
import { mistyped, type Names } from './corruptions.ts'

/** What somebody types, and the names of what they mean. */
export interface TypedQuery {
  category: string
  text: string
  wanted: Names
}

const CLUTTER = [
  ' (Remastered 2011)',
  ' - Live',
  ' [Explicit]',
  ' - Radio Edit',
  ' (Official Video)',
]
const ARTICLES = /\b(?:the|a|of|and|in) /i

/** A slip in one of the words that are long enough to forgive one. */
function slipped(random: Random, text: string): string {
  const words = text.split(' ')
  const places = words.flatMap((word, i) => (/^\p{L}{4,}$/u.test(word) ? [i] : []))
  if (places.length === 0) return text
  const at = pick(random, places)
  words[at] = mistyped(random, words[at] as string)
  return words.join(' ')
}

/** All but the end of the last word, at least two letters of it. */
function begun(random: Random, text: string): string {
  const last = text.length - text.lastIndexOf(' ') - 1
  return last < 3 ? text : text.slice(0, text.length - whole(random, 1, last - 1))
}

/** Ways in which names are typed; a way that leaves them as they are is left out. */
const WAYS: Readonly<Record<string, (random: Random, names: Names) => string>> = {
  title: (_, { title }) => title.toLowerCase(),
  'title, begun': (random, { title }) => begun(random, title.toLowerCase()),
  'title, slip': (random, { title }) => slipped(random, title.toLowerCase()),
  'title, slip, begun': (random, { title }) => begun(random, slipped(random, title.toLowerCase())),
  'title, additions': (random, { title }) => title + pick(random, CLUTTER),
  'title, guest': (_, { title }) => `${title} feat. Somebody Else`,
  'title, no article': (_, { title }) => title.replace(ARTICLES, ''),
  'title, other order': (random, { title }) => shuffled(title.split(' '), random).join(' '),
  'title and artist': (_, { title, artist }) => `${title} ${artist}`,
  'artist and title, begun': (random, { title, artist }) => begun(random, `${artist} ${title}`),
  'artist and title, slip': (random, { title, artist }) => slipped(random, `${artist} - ${title}`),
}

/** Typed texts for names, so many of each way. */
export function typedQueries(names: readonly Names[], each: number, seed = 17): TypedQuery[] {
  const random = seeded(seed)
  return Object.entries(WAYS).flatMap(([category, type]) => {
    const made: TypedQuery[] = []
    for (let tries = 0; made.length < each && tries < 20 * each; tries++) {
      const wanted = pick(random, names)
      const text = type(random, wanted)
      if (category !== 'title' && text.toLowerCase() === wanted.title.toLowerCase()) continue
      made.push({ category, text, wanted })
    }
    return made
  })
}

/** The share of queries whose answer is first, and among the first ten. */
export interface Recall {
  first: number
  ten: number
  count: number
}

/** Asks all queries; an answer is right by its title, and its artist if that was typed. */
export async function recallOf(
  queries: readonly TypedQuery[],
  ask: (text: string) => Promise<readonly Names[]>,
): Promise<Map<string, Recall>> {
  const recalls = new Map<string, Recall>()
  for (const { category, text, wanted } of queries) {
    const answers = await ask(text)
    const place = answers.findIndex(
      ({ title, artist }) =>
        title === wanted.title && (!category.includes('artist') || artist === wanted.artist),
    )
    for (const name of [category, 'all']) {
      const recall = recalls.get(name) ?? { first: 0, ten: 0, count: 0 }
      recalls.set(name, recall)
      recall.count++
      if (place === 0) recall.first++
      if (place >= 0 && place < 10) recall.ten++
    }
  }
  return recalls
}
