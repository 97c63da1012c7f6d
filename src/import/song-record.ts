import type { SongRecord } from '../client/songs.ts'
import { eachFact, type FactValue, RECORDED, type RecordFact } from '../song/facts.ts'
import { parseKey } from '../values/music-key.ts'
import * as clean from './cleaning.ts'

const FIELDS = {
  id: clean.text,
  artistId: clean.text,
  release: clean.text,
  year: clean.year,
  duration: (value: unknown) => clean.fact('duration', value),
  songHotttnesss: clean.hotttnesss,
  songType: clean.text,
  isrc: clean.text,
  musicbrainzId: clean.text,
  artistHotttnesss: clean.hotttnesss,
  artistFamiliarity: clean.hotttnesss,
}

const SUMMARY = eachFact(RECORDED, (name) => (value: unknown) => clean.fact(name, value)) as {
  [K in RecordFact]: (value: unknown) => FactValue<K> | undefined
}

/** The names of the fields with single values, and of the fields within them. */
export const NAMES = {
  song: ['title', 'artistName', ...Object.keys(FIELDS)],
  audioSummary: Object.keys(SUMMARY),
  artistLocation: ['latitude', 'longitude', 'location'],
} as const

export const LISTS = ['tracks', 'foreignIds', 'fingerprints', 'artistForeignIds', 'terms'] as const

/** The data of a song in a source: values of any type. Those without meaning are left out. */
export interface RawSong
  extends Readonly<Partial<Record<'title' | 'artistName' | keyof typeof FIELDS, unknown>>>,
    Pick<SongRecord, Exclude<(typeof LISTS)[number], 'terms'>> {
  audioSummary?: { readonly [K in keyof typeof SUMMARY]?: unknown }
  artistLocation?: { latitude?: unknown; longitude?: unknown; location?: unknown }
  terms?: readonly { name: string; weight?: unknown; frequency?: unknown }[] | undefined
}

type RawSummary = NonNullable<RawSong['audioSummary']>

/** A summary whose key and mode are numbers where they were names: `Am`, `8A`, `minor`. */
function withReadKey(summary: RawSummary): RawSummary {
  const { key, mode } = summary
  const read = typeof key === 'string' ? parseKey(key.replace(EITHER_KEY, '')) : undefined
  const word = typeof mode === 'string' ? MODE.exec(mode)?.[1]?.toLowerCase() : undefined
  if (read === undefined && word === undefined) return summary
  const named = word === undefined ? undefined : word.startsWith('maj') ? 1 : 0
  const isKnown = clean.fact('mode', mode) !== undefined
  return { ...summary, key: read?.key ?? key, mode: named ?? (isKnown ? mode : read?.mode) }
}

/** The second name in `F#/Gb minor`. */
const EITHER_KEY = /\s{0,4}\/\s{0,4}[A-G](?:[#b♯♭])?(?![A-Za-z])/i
const MODE = /^\s*(maj(?:or)?|min(?:or)?)\.?\s*$/i

export function songOf(raw: RawSong): SongRecord {
  const { audioSummary = {}, artistLocation: place = {}, terms = [] } = raw
  return clean.recordOf<SongRecord>({
    title: clean.text(raw.title) ?? '',
    artistName: clean.text(raw.artistName) ?? '',
    ...clean.cleaned(FIELDS, raw),
    audioSummary: clean.known(clean.cleaned(SUMMARY, withReadKey(audioSummary))),
    artistLocation: clean.known({
      ...clean.coordinates(place.latitude, place.longitude),
      location: clean.place(place.location),
    }),
    tracks: clean.some(raw.tracks ?? []),
    foreignIds: clean.some(raw.foreignIds ?? []),
    fingerprints: clean.some(raw.fingerprints ?? []),
    artistForeignIds: clean.some(raw.artistForeignIds ?? []),
    terms: clean.some(
      terms.map((term) =>
        clean.recordOf({
          ...term,
          weight: clean.share(term.weight),
          frequency: clean.share(term.frequency),
        }),
      ),
    ),
  })
}
