/** A field of the audio summary. */
export interface Fact {
  /** A flag is stored as 0 or 1. */
  readonly type: 'number' | 'integer' | 'text' | 'flag'
  /** The allowed values, both bounds included. */
  readonly range?: readonly [low: number, high: number]
  /** In imports and in the search index, 0 means "not known". */
  readonly positive?: true
  /** In values from the old service, 0 means "not known" if the tempo is 0 too. */
  readonly beatBased?: true
  /** The number of decimals that an analysis publishes. */
  readonly decimals?: number
  /** A derived value; a value imported beside a document takes precedence. */
  readonly isImpression?: true
  /** The table with the values of analyses. */
  readonly analysis?: 'analyses' | 'tracks'
  /** Whether a network that names sounds hears it. What it heard has priority. */
  readonly heard?: true
  /** The table with the values of imports. */
  readonly imports?: 'song_summaries' | 'songs'
  /**
   * The value in answers when the fact is not known; without it the field is left out. Only the
   * service's own fields have one, because its clients expect it.
   */
  readonly unknown?: 0 | null
  readonly search?: {
    /** Its place in the blocks of `song_columns`. Databases rely on it: never reuse a place. */
    readonly place: number
    /** Whether a search takes one value, or its name, instead of a range. */
    readonly named?: true
    /** The highest value that a search accepts. Default: the end of `range`. */
    readonly most?: number
  }
}

const STORED_FACT = { analysis: 'analyses', imports: 'song_summaries' } as const
const SHARE_FACT = { type: 'number', range: [0, 1], decimals: 3 } as const
const IMPRESSION = { ...STORED_FACT, ...SHARE_FACT, isImpression: true, unknown: null } as const
const CONFIDENCE = { ...SHARE_FACT, analysis: 'analyses' } as const
const LEVEL = { type: 'number', decimals: 3, analysis: 'analyses' } as const
const HEARD_SHARE = { ...SHARE_FACT, heard: true, unknown: null } as const

/**
 * To add a field: add a row; compute it in `analysis/document-summary.ts` or `analysis/summary/`;
 * add a migration with its columns and raise `SUMMARY_VERSION`.
 * A migration for a searched field also empties `song_columns` and `track_columns`, whose blocks
 * change size.
 */
export const SUMMARY_FACTS = {
  /** Seconds. */
  duration: {
    type: 'number',
    range: [0, 21_600],
    positive: true,
    decimals: 5,
    analysis: 'analyses',
    imports: 'songs',
    unknown: 0,
    search: { place: 1, most: 3600 },
  },
  /** Beats per minute; 0 when there is no beat. */
  tempo: {
    ...STORED_FACT,
    type: 'number',
    range: [0, 500],
    positive: true,
    decimals: 3,
    unknown: 0,
    search: { place: 0 },
  },
  /** Pitch class, 0 = C … 11 = B. Searches also take names: `c-sharp`, `Db`, `Am`, `8A`. */
  key: {
    ...STORED_FACT,
    type: 'integer',
    range: [0, 11],
    unknown: 0,
    search: { place: 5, named: true },
  },
  /** 0 minor, 1 major. Searches also take these names. */
  mode: {
    ...STORED_FACT,
    type: 'integer',
    range: [0, 1],
    unknown: 0,
    search: { place: 6, named: true },
  },
  /** Beats per bar. */
  timeSignature: {
    ...STORED_FACT,
    type: 'integer',
    range: [1, 64],
    positive: true,
    unknown: 0,
    search: { place: 10 },
  },
  /**
   * Integrated loudness, LUFS (ITU-R BS.1770); imported values are in dB. Absent, as all levels are,
   * for a sound shorter than the 400 ms of one block of BS.1770.
   */
  loudness: {
    ...STORED_FACT,
    type: 'number',
    range: [-100, 100],
    decimals: 3,
    search: { place: 2 },
  },
  /** Loudness range (EBU Tech 3342), LU, 0 or more; only in audile's own analyses. */
  loudnessRange: LEVEL,
  /**
   * The highest loudness of any 400 ms (EBU Tech 3341), LUFS, at least -60; only in audile's own
   * analyses.
   */
  maxMomentaryLoudness: LEVEL,
  /**
   * The highest loudness of any 3 s (EBU Tech 3341), LUFS, at least -60; only in audile's own
   * analyses.
   */
  maxShortTermLoudness: LEVEL,
  /**
   * True peak of all channels (ITU-R BS.1770-4, annex 2), dBTP, at least -60; only in audile's own
   * analyses.
   */
  truePeak: LEVEL,
  /**
   * The gain that plays the track at -18 LUFS (ReplayGain 2.0), dB, as measured; 5 dB less play it
   * at the -23 LUFS of EBU R 128. Absent for silence. What the file's tags state is
   * `taggedTrackGain` of the track.
   */
  trackGain: LEVEL,
  /** 0…1: how sure the tempo is. */
  tempoConfidence: CONFIDENCE,
  /** 0…1: how sure the key is. */
  keyConfidence: CONFIDENCE,
  /** 0…1: how sure the mode is. */
  modeConfidence: CONFIDENCE,
  /** 0…1: how sure the time signature is. */
  timeSignatureConfidence: CONFIDENCE,
  /** Whether one tempo is enough for a grid of all beats: 95 % of them within 35 ms of it. */
  beatsSteady: { type: 'flag', analysis: 'analyses' },
  /** Where the first bar begins, seconds. */
  firstDownbeat: { type: 'number', decimals: 5, analysis: 'analyses' },
  /** 0…1: loud, dense and bright. */
  energy: { ...IMPRESSION, search: { place: 4 } },
  /** 0…1: marked accents, and an even beat at a moderate tempo. */
  danceability: { ...IMPRESSION, beatBased: true, search: { place: 3 } },
  /** 0…1: above 0.66 nearly all is spoken, below 0.33 it is music. A `soundModel` hears it better. */
  speechiness: { ...IMPRESSION, beatBased: true, heard: true, search: { place: 7 } },
  /**
   * MD5 of the mono samples at 22,050 Hz, 16 bit. An import has the MD5 of the audio
   * that it describes.
   */
  audioMd5: { type: 'text', analysis: 'tracks', imports: 'song_summaries' },
  /** 0…1: how certain it is that no instrument is electric. */
  acousticness: { ...IMPRESSION, search: { place: 8 } },
  /** 0…1: how certain it is that nobody sings; heard with a `soundModel`, or imported, or `null`. */
  instrumentalness: { ...HEARD_SHARE, imports: 'song_summaries', search: { place: 11 } },
  /** 0…1: how certain it is that there is an audience; known as `instrumentalness` is. */
  liveness: { ...HEARD_SHARE, imports: 'song_summaries', search: { place: 12 } },
  /** 0…1: the share of the time in which someone sings, raps or speaks; only with a `soundModel`. */
  voice: { ...HEARD_SHARE, search: { place: 13 } },
  /** 0…1: how cheerful it sounds. */
  valence: { ...IMPRESSION, beatBased: true, search: { place: 9 } },
} as const satisfies Readonly<Record<string, Fact>>

type FactTable = typeof SUMMARY_FACTS
/** A field of the audio summary. */
export type FactName = keyof FactTable
type FactsWith<Trait> = { [K in FactName]: FactTable[K] extends Trait ? K : never }[FactName]
export type AnalyzedFact = FactsWith<{ analysis: string }>
export type RecordFact = FactsWith<{ imports: string }>
export type SummaryFact = FactsWith<{ imports: 'song_summaries' }>
/** Fields that are `null` in answers when they are not known. */
export type NullableFact = FactsWith<{ unknown: null }>
/** Derived fields, which other sources may also publish. */
export type Impression = FactsWith<{ isImpression: true }>
export type ImportOnlyFact = Exclude<RecordFact, AnalyzedFact>
export type HeardFact = FactsWith<{ heard: true }>
/** Fields by which songs and tracks are searched and sorted. */
export type SearchedFact = FactsWith<{ search: object }>
export type NamedFact = FactsWith<{ search: { named: true } }>
/** Searched fields with a lowest and a highest value. */
export type RangedFact = Exclude<SearchedFact, NamedFact>

export type FactValue<K extends FactName> = FactTable[K] extends { type: 'flag' }
  ? boolean
  : StoredFact<K>
type StoredFact<K extends FactName> = FactTable[K] extends { type: 'text' } ? string : number
/** Mapped over the keys of rows, because that keeps their documentation. */
export type Rows<K extends FactName> = Pick<FactTable, K>
/** Fields as they are stored; `null` where they are not known. */
export type FactValues<K extends FactName> = { [P in keyof Rows<K>]: StoredFact<P> | null }

/** Fields that every analysis finds. */
export type StatedFact = FactsWith<{ unknown: 0 }>
/** The fields that an analysis finds, with their values. */
export type Analyzed = { [K in keyof Rows<StatedFact>]: FactValue<K> } & {
  [K in keyof Rows<Exclude<AnalyzedFact, StatedFact | 'audioMd5'>>]: FactValue<K> | null
} & {
  /** MD5 of the mono samples at 22,050 Hz, 16 bit. */
  audioMd5: string
}

const FACT_ROWS: Readonly<Record<FactName, Fact>> = SUMMARY_FACTS

export const FACT_NAMES = Object.keys(SUMMARY_FACTS) as readonly FactName[]

function factsWith<Trait extends keyof Fact>(
  trait: Trait,
  accepts = (value: NonNullable<Fact[Trait]>) => Boolean(value),
): FactsWith<Record<Trait, unknown>>[] {
  const names = FACT_NAMES.filter((name) => {
    const value = FACT_ROWS[name][trait]
    return value !== undefined && accepts(value)
  })
  return names as FactsWith<Record<Trait, unknown>>[]
}

const searchPlace = (name: FactName) => FACT_ROWS[name].search?.place ?? 0

export const ANALYZED: readonly AnalyzedFact[] = factsWith('analysis')
export const RECORDED: readonly RecordFact[] = factsWith('imports')
export const IMPORT_ONLY = RECORDED.filter(
  (name): name is ImportOnlyFact => FACT_ROWS[name].analysis === undefined,
)
export const HEARD_FACTS: readonly HeardFact[] = factsWith('heard')
export const IMPRESSIONS: readonly Impression[] = factsWith('isImpression')
export const SUMMARIZED = factsWith('imports', (table) => table !== 'songs') as SummaryFact[]
/** In the order of the columns of the search index. */
export const SEARCHED: readonly SearchedFact[] = factsWith('search').sort(
  (a, b) => searchPlace(a) - searchPlace(b),
)
export const RANGED = SEARCHED.filter((name): name is RangedFact => !isNamed(name))
export const FRACTIONS = factsWith('type', (type) => type === 'number')

export function factOf(name: FactName): Fact {
  return FACT_ROWS[name]
}

export function isNamed(name: FactName): boolean {
  return FACT_ROWS[name].search?.named === true
}

export function eachFact<K extends FactName, V>(
  names: readonly K[],
  make: (name: K, fact: Fact) => V,
): Record<K, V> {
  // Property by property: objects made of entries are slow to read and to copy.
  const record = {} as Record<K, V>
  for (const name of names) record[name] = make(name, FACT_ROWS[name])
  return record
}

type Snake<Name extends string> = Name extends `${infer Sign}${infer Rest}`
  ? `${Sign extends Lowercase<Sign> ? Sign : `_${Lowercase<Sign>}`}${Snake<Rest>}`
  : ''

/** As in the database and on the wire: `audioMd5` → `audio_md5`. */
export function toSnakeCase<Name extends FactName>(name: Name): Snake<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>
}

export function searchedRange(name: RangedFact): readonly [low: number, high: number] {
  const [low, high] = SUMMARY_FACTS[name].range
  return [low, FACT_ROWS[name].search?.most ?? high]
}

/** `minTempo`, `maxTempo`. */
export function boundName<Side extends 'min' | 'max', Name extends RangedFact>(
  side: Side,
  name: Name,
): `${Side}${Capitalize<Name>}` {
  const capitalized = name.slice(0, 1).toUpperCase() + name.slice(1)
  return `${side}${capitalized}` as `${Side}${Capitalize<Name>}`
}

/** With the decimals of the document's text, flags as 0 and 1, and missing fields as `null`. */
export function toStored<K extends FactName>(
  values: {
    [P in K]: FactValue<P> | null
  },
): FactValues<K> {
  const storedValues: Record<string, unknown> = { ...values }
  for (const [name, value] of Object.entries(values)) {
    const { decimals } = factOf(name as FactName)
    if (value === undefined) storedValues[name] = null
    else if (typeof value === 'boolean') storedValues[name] = Number(value)
    else if (typeof value === 'number' && decimals !== undefined) {
      storedValues[name] = Number(value.toFixed(decimals))
    }
  }
  return storedValues as FactValues<K>
}
