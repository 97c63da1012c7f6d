import type { SongRecord } from '../client/songs.ts'
import { eachFact, type FactValue, RECORDED, type RecordFact } from '../song/facts.ts'
import { parseKey } from '../values/music-key.ts'
import {
  cleanCoordinates,
  cleanFact,
  cleanFields,
  cleanHotttnesss,
  cleanPlace,
  cleanShare,
  cleanTextValue,
  cleanYear,
  definedFields,
  nonEmptyList,
  recordOfKnown,
} from './cleaning.ts'

const SONG_CLEANERS = {
  id: cleanTextValue,
  artistId: cleanTextValue,
  release: cleanTextValue,
  year: cleanYear,
  duration: (value: unknown) => cleanFact('duration', value),
  songHotttnesss: cleanHotttnesss,
  songType: cleanTextValue,
  isrc: cleanTextValue,
  musicbrainzId: cleanTextValue,
  artistHotttnesss: cleanHotttnesss,
  artistFamiliarity: cleanHotttnesss,
}

const SUMMARY_CLEANERS = eachFact(
  RECORDED,
  (name) => (value: unknown) => cleanFact(name, value),
) as {
  [K in RecordFact]: (value: unknown) => FactValue<K> | undefined
}

/** Fields with single values, and the fields within them. */
export const FIELD_NAMES = {
  song: ['title', 'artistName', ...Object.keys(SONG_CLEANERS)],
  audioSummary: Object.keys(SUMMARY_CLEANERS),
  artistLocation: ['latitude', 'longitude', 'location'],
} as const

export const LIST_FIELDS = [
  'tracks',
  'foreignIds',
  'fingerprints',
  'artistForeignIds',
  'terms',
] as const

/** As a source has it; values without meaning are left out. */
export interface RawSong
  extends Readonly<Partial<Record<'title' | 'artistName' | keyof typeof SONG_CLEANERS, unknown>>>,
    Pick<SongRecord, Exclude<(typeof LIST_FIELDS)[number], 'terms'>> {
  audioSummary?: { readonly [K in keyof typeof SUMMARY_CLEANERS]?: unknown }
  artistLocation?: { latitude?: unknown; longitude?: unknown; location?: unknown }
  terms?: readonly { name: string; weight?: unknown; frequency?: unknown }[] | undefined
}

type RawSummary = NonNullable<RawSong['audioSummary']>

/** Key and mode may be names: `Am`, `8A`, `minor`. */
function withReadKey(summary: RawSummary): RawSummary {
  const { key, mode } = summary
  const parsedKey = typeof key === 'string' ? parseKey(key.replace(SECOND_KEY_NAME, '')) : undefined
  const modeWord = typeof mode === 'string' ? MODE_WORD.exec(mode)?.[1]?.toLowerCase() : undefined
  if (parsedKey === undefined && modeWord === undefined) return summary
  const namedMode = modeWord === undefined ? undefined : modeWord.startsWith('maj') ? 1 : 0
  const isKnown = cleanFact('mode', mode) !== undefined
  return {
    ...summary,
    key: parsedKey?.key ?? key,
    mode: namedMode ?? (isKnown ? mode : parsedKey?.mode),
  }
}

/** `F#/Gb minor`. */
const SECOND_KEY_NAME = /\s{0,4}\/\s{0,4}[A-G](?:[#b♯♭])?(?![A-Za-z])/i
const MODE_WORD = /^\s*(maj(?:or)?|min(?:or)?)\.?\s*$/i

export function songRecordOfRaw(raw: RawSong): SongRecord {
  const { audioSummary = {}, artistLocation: place = {}, terms = [] } = raw
  return recordOfKnown<SongRecord>({
    title: cleanTextValue(raw.title) ?? '',
    artistName: cleanTextValue(raw.artistName) ?? '',
    ...cleanFields(SONG_CLEANERS, raw),
    audioSummary: definedFields(cleanFields(SUMMARY_CLEANERS, withReadKey(audioSummary))),
    artistLocation: definedFields({
      ...cleanCoordinates(place.latitude, place.longitude),
      location: cleanPlace(place.location),
    }),
    tracks: nonEmptyList(raw.tracks ?? []),
    foreignIds: nonEmptyList(raw.foreignIds ?? []),
    fingerprints: nonEmptyList(raw.fingerprints ?? []),
    artistForeignIds: nonEmptyList(raw.artistForeignIds ?? []),
    terms: nonEmptyList(
      terms.map((term) =>
        recordOfKnown({
          ...term,
          weight: cleanShare(term.weight),
          frequency: cleanShare(term.frequency),
        }),
      ),
    ),
  })
}
