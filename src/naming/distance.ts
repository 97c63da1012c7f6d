// The weights and limits were chosen by hand, then checked by `test/programs/trainers/names.ts` on
// generated and damaged names: 0, 0.5 or 1.5 times a weight or limit never gains more than two
// standard errors there. Lengths and releases are not checked.

/**
 * The penalties for differences between names and between songs, with the weight of one unit of
 * each. A distance is a sum of penalties: 0 for equal names, 1 for different ones.
 */
export const WEIGHTS = {
  /** A word that is not a misspelling of a word in the other name. */
  'title.other': 1,
  'artist.other': 1,
  /** Different numbers: `Part 1` and `Part 2`, `Apollo 440` and `Apollo 100`. */
  'title.numbers': 1,
  'artist.numbers': 1,
  /** The share of letters that are misspelt. */
  'title.letters': 1,
  'artist.letters': 1,
  /** The same words in another order, or different little words. */
  'title.words': 0.07,
  'artist.words': 0.08,
  /** Additional words in another script: a translation, or the original name. */
  'title.script': 0.1,
  'artist.script': 0.1,
  /** The same name in another script, and how far its letters are from those of the other name. */
  'title.transliterated': 0.14,
  'artist.transliterated': 0.14,
  /** Different spaces. */
  'title.spaces': 0.01,
  'artist.spaces': 0.01,
  /** One name begins with the other, which has the length at which old tags were cut. */
  'title.cut': 0.04,
  'artist.cut': 0.03,
  /** Additions that do not change the song: a remaster, guests, a leading article. */
  'title.additions': 0.02,
  /** Titles of one classical work and movement, in other words: by list, key and numbers. */
  'title.work': 0.05,
  /** Other additions, which only one of the titles has. */
  'title.shorter': 0.08,
  /** Another kind of version: live, remix, karaoke. */
  'version.other': 1,
  /** Only one of the titles says which version of its kind it is; the other may have been cut. */
  'version.unsaid': 0.07,
  /** A version that is not recognised as an addition: without a bracket, or misspelt. */
  'version.unread': 0.08,
  /** Only one of the artists plays songs of others: karaoke, a tribute band. */
  'artist.tribute': 1,
  /** The same artists, or words of the name, in another order. */
  'artist.order': 0.03,
  /** Featured artists in only one of the credits. */
  'artist.guests': 0.03,
  /** The same main artist, with different other artists. */
  'artist.others': 0.05,
  'artist.numerals': 0.03,
  /** Of a classical work: only a performer, or only the family name of the composer. */
  'artist.performer': 0.06,
  /** Another letter in a name of few letters, which usually makes another name. */
  'title.short': 0.05,
  'artist.short': 0.05,
  /**
   * If only the artist is known: `few` for a misspelling in a name of few letters, `letter` in
   * addition for a wrong letter (not a missing or an extra one), `start` for one at the beginning.
   */
  'artist.few': 0.02,
  'artist.letter': 0.03,
  'artist.start': 0.06,
  /** The query has no artist. */
  'artist.missing': 0.2,
  /** Names that were not read as they are written. */
  'reading.cleaned': 0.005,
  'reading.split': 0.01,
  'reading.sorted': 0.01,
  'reading.bareNumber': 0.02,
  'reading.swapped': 0.03,
  'reading.unseparated': 0.05,
  /** How much the lengths differ, from 10 s (0) to 30 s (1). */
  'song.length': 0.15,
  /** Lengths of different recordings. */
  'song.otherLength': 1,
  'song.release': 0.01,
} as const

export type PenaltyName = keyof typeof WEIGHTS

/** One difference that speaks against a match. */
export interface Penalty {
  /** What differs, for example `title.letters`. */
  name: PenaltyName
  /** The size of the difference, 0…1. */
  value: number
  /** What a difference of size 1 adds to the distance. */
  weight: number
}

/** The greatest distances of accepted matches, and the least margin to the next match. */
export const LIMITS = {
  /** For a song that is accepted without a search for others. */
  exact: 0.015,
  /** For a song that is accepted after each lookup, unless another one is as near. */
  keys: 0.045,
  words: 0.14,
  letters: 0.28,
  /** The same, for a song with exactly the title, if few songs have such a title. */
  rare: 0.4,
  /** No other song or artist may be within this distance of the best match. */
  margin: 0.04,
  /** For the titles, and for the artists, of two entries of one song. */
  oneSong: 0.1,
  /** For an artist that is found by name, and for one that is found by letters. */
  namedArtist: 0.03,
  artist: 0.17,
} as const

export class Distance {
  /** The distance of equal names. */
  static readonly none: Distance = new Distance(0, [])

  /** 0 for equal names, 1 or more for different ones. */
  readonly sum: number
  readonly penalties: readonly Penalty[]

  private constructor(sum: number, penalties: readonly Penalty[]) {
    this.sum = sum
    this.penalties = penalties
  }

  static of(name: PenaltyName, value = 1): Distance {
    return Distance.none.add(name, value)
  }

  add(name: PenaltyName, value = 1): Distance {
    if (value === 0) return this
    const weight = WEIGHTS[name]
    return new Distance(this.sum + weight * value, [...this.penalties, { name, value, weight }])
  }

  plus(other: Distance): Distance {
    if (other.penalties.length === 0) return this
    if (this.penalties.length === 0) return other
    return new Distance(this.sum + other.sum, [...this.penalties, ...other.penalties])
  }

  /** Whether the names are certainly of different songs or artists. */
  get isOther(): boolean {
    return this.sum >= 1
  }

  or(other: Distance): Distance {
    return other.sum < this.sum ? other : this
  }
}
