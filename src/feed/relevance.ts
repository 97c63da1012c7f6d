import {
  lowerCaseWords,
  type Mention,
  mentionsIn,
  type Named,
  type Names,
  sayings,
} from './mentions.ts'

export interface Article {
  headline: string
  /** Everything below the headline. */
  text: string
}

export interface Reference {
  artist: number
  relevance: number
}

/** The least relevance of news that is highly relevant. */
export const HIGH_RELEVANCE = 0.5

const BEGINNING = 60
/** The most artists that an item can name with full relevance for each. */
const FEW = 3

interface Count {
  headline: boolean
  /** Whether the beginning of the text names the artist. */
  early: boolean
  times: number
  /** Whether the feed was added, or the item imported, as one about the artist. */
  own: boolean
}

/**
 * How much an item is about an artist: 0.5 if the headline names them, 0.2 if the first 60 words
 * below do, 0.1 for the second and 0.1 for the third time that the text does, 0.3 if the feed was
 * added, or the item imported, as one about them; at most 1. Where more than three artists are
 * named, the part for names is multiplied by 3 ÷ their number. {@link HIGH_RELEVANCE} is 0.5.
 */
function relevanceOf({ headline, early, times, own }: Count, artists: number): number {
  const named = (headline ? 0.5 : 0) + (early ? 0.2 : 0) + 0.1 * Math.min(Math.max(times - 1, 0), 2)
  const shared = named * Math.min(1, FEW / artists)
  return Math.min(1, Math.round((shared + (own ? 0.3 : 0)) * 1000) / 1000)
}

/** How much an item is about the artist that it was imported for. */
export function ownRelevance(article: Article, name: string): number {
  return relevanceOf(countOwn(article, name), 1)
}

function countOwn({ headline, text }: Article, name: string): Count {
  const { count, first } = sayings(text, name)
  return {
    headline: sayings(headline, name).count > 0,
    early: first >= 0 && first < BEGINNING,
    times: count,
    own: true,
  }
}

/**
 * The artists that an item is about, the most relevant first: those that it names, and
 * the own artists of its feeds.
 */
export function referencesOf(
  { headline, text }: Article,
  names: Names,
  own: readonly Named[],
): Reference[] {
  const counts = new Map<number, Count>()
  for (const artist of own) counts.set(artist.num, countOwn({ headline, text }, artist.name))
  const count = (mentions: readonly Mention[], add: (count: Count, at: number) => void) => {
    for (const { artist, at } of mentions) {
      const one = counts.get(artist) ?? { headline: false, early: false, times: 0, own: false }
      // The mentions of own artists are counted already, however they are written.
      if (!one.own) add(one, at)
      counts.set(artist, one)
    }
  }
  count(mentionsIn(headline, names, lowerCaseWords(text)), (one) => {
    one.headline = true
  })
  count(mentionsIn(text, names), (one, at) => {
    one.times++
    if (at < BEGINNING) one.early = true
  })
  return [...counts]
    .map(([artist, one]) => ({ artist, relevance: relevanceOf(one, counts.size) }))
    .sort((a, b) => b.relevance - a.relevance || a.artist - b.artist)
}
