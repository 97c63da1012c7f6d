// The weights and limits were chosen by hand and checked by `test/programs/trainers/names.ts`.

/** The weight of one unit of each difference: 0 for equal names, 1 for different ones. */
export const PENALTY_WEIGHTS = {
  /** A word that is not a misspelling of a word in the other name. */
  'title.other': 1,
  'artist.other': 1,
  /** Different numbers: `Part 1` and `Part 2`, `Apollo 440` and `Apollo 100`. */
  'title.numbers': 1,
  'artist.numbers': 1,
  /** The share of misspelt letters. */
  'title.letters': 1,
  'artist.letters': 1,
  /** The same words in another order, or different little words. */
  'title.words': 0.07,
  'artist.words': 0.08,
  /** A translation, or the original name. */
  'title.script': 0.1,
  'artist.script': 0.1,
  /** The same name in another script. */
  'title.transliterated': 0.14,
  'artist.transliterated': 0.14,
  'title.spaces': 0.01,
  'artist.spaces': 0.01,
  /** One name begins with the other, which has the length at which ID3v1 cuts. */
  'title.cut': 0.04,
  'artist.cut': 0.03,
  /** A remaster, guests, a leading article. */
  'title.additions': 0.02,
  /** One classical work and movement: by list, key and numbers. */
  'title.work': 0.05,
  /** In only one of the titles. */
  'title.shorter': 0.08,
  'version.other': 1,
  /** Only one of the titles says which version of its kind it is. */
  'version.unsaid': 0.07,
  /** Without a bracket, or misspelt. */
  'version.unread': 0.08,
  /** Only one of the artists plays songs of others. */
  'artist.tribute': 1,
  'artist.order': 0.03,
  'artist.guests': 0.03,
  /** The same main artist, with different other artists. */
  'artist.others': 0.05,
  'artist.numerals': 0.03,
  /** Only a performer, or only the composer's family name. */
  'artist.performer': 0.06,
  /** In a name of few letters. */
  'title.short': 0.05,
  'artist.short': 0.05,
  /** If only the artist is known: for a misspelling, a wrong letter, the first letter. */
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
  /** From 10 s (0) to 30 s (1). */
  'song.length': 0.15,
  /** Lengths of different recordings. */
  'song.otherLength': 1,
  'song.release': 0.01,
} as const

export type PenaltyName = keyof typeof PENALTY_WEIGHTS

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
export const MATCH_LIMITS = {
  /** Accepted without a search for others. */
  exact: 0.015,
  /** Accepted after each lookup, unless another song is as near. */
  keys: 0.045,
  words: 0.14,
  letters: 0.28,
  /** Of a song with exactly the title, if few songs have it. */
  rare: 0.4,
  /** No other song or artist may be within this distance of the best match. */
  margin: 0.04,
  /** Of two entries of one song. */
  oneSong: 0.1,
  /** Of an artist found by name, and by letters. */
  namedArtist: 0.03,
  artist: 0.17,
} as const

export class Distance {
  static readonly none: Distance = new Distance(0, [])

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
    const weight = PENALTY_WEIGHTS[name]
    return new Distance(this.sum + weight * value, [...this.penalties, { name, value, weight }])
  }

  plus(otherDistance: Distance): Distance {
    if (otherDistance.penalties.length === 0) return this
    if (this.penalties.length === 0) return otherDistance
    return new Distance(this.sum + otherDistance.sum, [
      ...this.penalties,
      ...otherDistance.penalties,
    ])
  }

  get isOther(): boolean {
    return this.sum >= 1
  }

  nearer(otherDistance: Distance): Distance {
    return otherDistance.sum < this.sum ? otherDistance : this
  }
}
