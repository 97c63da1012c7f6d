import {
  type ArtistName,
  countMentions,
  lowerCaseWords,
  type Mention,
  mentionsIn,
  type NameLookup,
} from './mentions.ts'

export interface Article {
  headline: string
  /** Everything below the headline. */
  text: string
}

export interface ArtistReference {
  artist: number
  relevance: number
}

export const HIGH_RELEVANCE = 0.5

const BEGINNING_WORDS = 60
/** Named artists with full relevance for each. */
const FULLY_RELEVANT_ARTISTS = 3

interface MentionCount {
  headline: boolean
  /** The beginning of the text names the artist. */
  early: boolean
  times: number
  /** The feed was added, or the item imported, as one about the artist. */
  own: boolean
}

/**
 * 0.5 for the headline, 0.2 for the first 60 words, 0.1 each for two repetitions, 0.3 for its own
 * feed.
 * With more than three artists the part for names is multiplied by 3 ÷ their number.
 */
function scoreRelevance({ headline, early, times, own }: MentionCount, artists: number): number {
  const nameScore =
    (headline ? 0.5 : 0) + (early ? 0.2 : 0) + 0.1 * Math.min(Math.max(times - 1, 0), 2)
  const sharedScore = nameScore * Math.min(1, FULLY_RELEVANT_ARTISTS / artists)
  return Math.min(1, Math.round((sharedScore + (own ? 0.3 : 0)) * 1000) / 1000)
}

/** An item that was imported for the artist. */
export function ownRelevance(article: Article, name: string): number {
  return scoreRelevance(countOwnMentions(article, name), 1)
}

function countOwnMentions({ headline, text }: Article, name: string): MentionCount {
  const { count, first } = countMentions(text, name)
  return {
    headline: countMentions(headline, name).count > 0,
    early: first >= 0 && first < BEGINNING_WORDS,
    times: count,
    own: true,
  }
}

/** The most relevant first: those that the item names, and the own artists of its feeds. */
export function referencesOf(
  { headline, text }: Article,
  names: NameLookup,
  feedArtists: readonly ArtistName[],
): ArtistReference[] {
  const counts = new Map<number, MentionCount>()
  for (const artist of feedArtists)
    counts.set(artist.num, countOwnMentions({ headline, text }, artist.name))
  const addMentions = (
    mentions: readonly Mention[],
    add: (count: MentionCount, at: number) => void,
  ) => {
    for (const { artist, at } of mentions) {
      const mentionCount = counts.get(artist) ?? {
        headline: false,
        early: false,
        times: 0,
        own: false,
      }
      // The mentions of own artists are counted already, however they are written.
      if (!mentionCount.own) add(mentionCount, at)
      counts.set(artist, mentionCount)
    }
  }
  addMentions(mentionsIn(headline, names, lowerCaseWords(text)), (mentionCount) => {
    mentionCount.headline = true
  })
  addMentions(mentionsIn(text, names), (mentionCount, at) => {
    mentionCount.times++
    if (at < BEGINNING_WORDS) mentionCount.early = true
  })
  return [...counts]
    .map(([artist, mentionCount]) => ({
      artist,
      relevance: scoreRelevance(mentionCount, counts.size),
    }))
    .sort((a, b) => b.relevance - a.relevance || a.artist - b.artist)
}
