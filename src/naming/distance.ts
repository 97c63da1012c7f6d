// How they were chosen: by hand at first, then tried by `test/programs/trainers/names.ts` on names that
// are made and damaged in code: none of 0, 0.5 and 1.5 times a weight or limit gains more than two
// standard errors there. Lengths and releases are not in it.

/**
 * What may speak against one name being another, or a song being the wanted one, and how much a
 * whole unit of it weighs. Distances are sums of these: 0 for equal names, 1 for different ones.
 */
export const WEIGHTS = {
  /** Another word, which is no misspelling of a word in the other name. */
  'title.other': 1,
  'artist.other': 1,
  /** Other numbers: `Part 1` and `Part 2`, `Apollo 440` and `Apollo 100`. */
  'title.numbers': 1,
  'artist.numbers': 1,
  /** The share of letters that are misspelt. */
  'title.letters': 1,
  'artist.letters': 1,
  /** The same words in another order, or other little words. */
  'title.words': 0.07,
  'artist.words': 0.08,
  /** Words in another script beside the same name: a translation, or the original. */
  'title.script': 0.1,
  'artist.script': 0.1,
  /** Other spaces. */
  'title.spaces': 0.01,
  'artist.spaces': 0.01,
  /** One name begins with the other, which has the length at which old tags were cut. */
  'title.cut': 0.04,
  'artist.cut': 0.03,
  /** Additions that say nothing of which song it is: a remaster, guests, a leading article. */
  'title.additions': 0.02,
  /** Other additions, which only one of the titles has. */
  'title.shorter': 0.08,
  /** Another kind of version: live, remix, karaoke. */
  'version.other': 1,
  /** Only one of the titles says which version of its kind it is, or was not cut before that. */
  'version.unsaid': 0.07,
  /** Words for the version that are no addition of their own: without a bracket, or misspelt. */
  'version.unread': 0.08,
  /** A recording for those who play or sing a song of others. */
  'artist.tribute': 1,
  /** The same artists, or words of the name, in another order. */
  'artist.order': 0.03,
  /** Featured artists in only one of the credits. */
  'artist.guests': 0.03,
  /** The same main artist, and others. */
  'artist.others': 0.05,
  'artist.numerals': 0.03,
  /** Another letter in a name of few letters, which usually makes another name. */
  'artist.short': 0.05,
  /**
   * Where only the artist is known: a misspelling in a name of few letters; and if it is another
   * letter, not a missing or an additional one; and if it is at the beginning.
   */
  'artist.few': 0.02,
  'artist.letter': 0.03,
  'artist.start': 0.06,
  /** No artist was asked for. */
  'artist.missing': 0.2,
  /** What was read otherwise than it was written. */
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

/** One thing that speaks against a match. */
export interface Penalty {
  /** What differs, `title.letters` for one. */
  name: PenaltyName
  /** How much of it there is, 0…1. */
  value: number
  /** What one unit of it adds to the distance. */
  weight: number
}

/** The greatest distances, and the least differences of distances, for each question. */
export const LIMITS = {
  /** Of a song that is taken without a look for others. */
  exact: 0.015,
  /** Of a song that is taken after each lookup, unless another one is as near. */
  keys: 0.045,
  words: 0.14,
  letters: 0.28,
  /** The same, of a song with the very title, if few songs have such a title. */
  rare: 0.4,
  /** No other song, or artist, may be so near to the best. */
  margin: 0.04,
  /** Of the titles, and of the artists, of songs that are one. */
  oneSong: 0.1,
  /** Of an artist that is found by name, and of one that is found by letters. */
  namedArtist: 0.03,
  artist: 0.17,
} as const

/** How far two names are from each other, as a sum of named penalties. It never changes. */
export class Distance {
  /** Of equal names. */
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

  /** This distance and one more penalty. */
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

  /** The nearer of two ways to compare. */
  or(other: Distance): Distance {
    return other.sum < this.sum ? other : this
  }
}
