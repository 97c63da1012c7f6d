import {
  FACT_NAMES,
  type Fact,
  type FactName,
  type FactValue,
  type FactValues,
  factOf,
  type NullableFact,
  type Rows,
  type StatedFact,
  type SummaryFact,
} from './facts.ts'

type AlwaysKnown = { [K in keyof Rows<StatedFact>]: FactValue<K> }
type NullIfUnknown = FactValues<NullableFact>
type AbsentIfUnknown = {
  [K in keyof Rows<Exclude<FactName, StatedFact | NullableFact>>]?: FactValue<K>
}

/** The summary of an analysis. An unknown field is `null` or absent. */
export interface AudioSummary extends AlwaysKnown, NullIfUnknown, AbsentIfUnknown {
  /** `audile:analysis/<track id>`: where the full document is. */
  analysisUrl: string
}

/** From audile's own analysis, otherwise from an import. */
export interface SongAudioSummary
  extends Omit<Partial<AudioSummary>, 'energy' | 'danceability'>,
    Pick<NullIfUnknown, 'energy' | 'danceability'> {}

export function trackSummaryOf(trackId: string, row: FactValues<FactName>): AudioSummary {
  const summary = { analysisUrl: `audile:analysis/${trackId}` }
  return withKnown(summary, row, ({ unknown }) => unknown) as AudioSummary
}

export type ImportedSummary = FactValues<SummaryFact>

export interface SongSummaryRow extends FactValues<FactName> {
  /** `null` when the values were imported, or none is known. */
  trackId: string | null
  /** Whether an import has a summary. */
  summarized: 0 | 1
}

/** `undefined` when nothing is known of its sound. */
export function songSummaryOf(row: SongSummaryRow): SongAudioSummary | undefined {
  const { trackId, summarized, duration } = row
  if (trackId === null && summarized === 0 && duration === null) return undefined
  // Every summary begins with these two fields.
  if (trackId === null) return withKnown({ energy: null, danceability: null }, row, () => undefined)
  return trackSummaryOf(trackId, row)
}

/** Unknown fields are left out unless `unknownOf` gives a value. */
function withKnown(
  summary: Partial<SongAudioSummary>,
  row: FactValues<FactName>,
  unknownOf: (fact: Fact) => 0 | null | undefined,
): SongAudioSummary {
  // Property by property, for speed: an answer has a summary for every song.
  const summaryFields: Partial<Record<FactName, unknown>> = { ...summary }
  for (const name of FACT_NAMES) {
    const storedValue = row[name] ?? unknownOf(factOf(name))
    if (storedValue !== undefined)
      summaryFields[name] = factOf(name).type === 'flag' ? storedValue === 1 : storedValue
  }
  return summaryFields as SongAudioSummary
}
