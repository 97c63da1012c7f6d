import type { ArtistRecord } from '../client/artists.ts'
import {
  cleanForeignIds,
  cleanOrdinal,
  cleanTextValue,
  cleanYear,
  definedFields,
  nonEmptyList,
  recordOfKnown,
} from './cleaning.ts'
import { type Json, objectOf, objectsOf } from './rows.ts'

type Term = NonNullable<ArtistRecord['terms']>[number]

export function artistOfDocument(artist: Json, tags: boolean): ArtistRecord {
  const id = cleanTextValue(artist.id)
  const name = cleanTextValue(artist.name) ?? ''
  return recordOfKnown<ArtistRecord>({
    name,
    aliases: nonEmptyList(aliasesOf(artist, name)),
    location: artistLocationOf(artist),
    yearsActive: yearsActiveOf(artist),
    terms: tags ? nonEmptyList(artistTermsOf(artist)) : undefined,
    foreignIds: nonEmptyList([...cleanForeignIds({ musicbrainz: id }), ...spotifyIdsOf(artist)]),
    urls: urlsOf(artist, id),
  })
}

function aliasesOf(artist: Json, name: string): string[] {
  const names = objectsOf(artist.aliases).flatMap((alias) => cleanTextValue(alias.name) ?? [])
  return [...new Set(names)].filter((alias) => alias !== name)
}

/** `Liverpool, United Kingdom`; areas have no coordinates. */
function artistLocationOf(artist: Json): ArtistRecord['location'] {
  const areas = objectsOf([artist['begin-area'] ?? artist.begin_area, artist.area])
  const nameOfType = (types: readonly string[]) =>
    cleanTextValue(areas.find(({ type }) => types.includes(String(type)))?.name)
  const country =
    nameOfType(['Country']) ??
    cleanTextValue(areas.find((area) => Array.isArray(area['iso-3166-1-codes']))?.name) ??
    countryOf(cleanTextValue(artist.country))
  const names = [...areas.map(({ name }) => cleanTextValue(name)), country]
  const distinct = [...new Set(names.filter((name) => name !== undefined))]
  return definedFields({
    location: distinct.length === 0 ? undefined : distinct.join(', '),
    city: nameOfType(['City', 'Municipality']),
    region: nameOfType(['Subdivision']),
    country,
  })
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** `X…` codes of MusicBrainz, such as the whole world, are no country. */
function countryOf(code: string | undefined): string | undefined {
  if (code === undefined || !/^[A-Z]{2}$/.test(code) || /^X[A-Z]$/.test(code)) return undefined
  return COUNTRY_NAMES.of(code)
}

/** The life span of a person is birth to death. */
const GROUP_TYPES = new Set(['Group', 'Orchestra', 'Choir'])

function yearsActiveOf(artist: Json): ArtistRecord['yearsActive'] {
  if (!GROUP_TYPES.has(String(artist.type))) return undefined
  const span = objectOf(artist['life-span'])
  const start = cleanYear(firstYear(span?.begin))
  const end = cleanYear(firstYear(span?.end))
  if (start === undefined || (end !== undefined && end < start)) return undefined
  // Without an end, the record would say that the group is still active.
  if (end === undefined && span?.ended === true) return undefined
  return [{ start, ...(end !== undefined && { end }) }]
}

/** Of `1960`, `1960-08`, `1960-08-15`. */
export function firstYear(date: unknown): string | undefined {
  return typeof date === 'string' ? /^\d{4}(?=$|-)/.exec(date)?.[0] : undefined
}

/**
 * The frequency is the share of the highest number of votes. Only genres are certainly of the kind
 * `style`.
 */
function artistTermsOf(artist: Json): Term[] {
  const votes = new Map<string, { count: number; genre: boolean }>()
  for (const list of ['tags', 'genres'] as const) {
    for (const tag of objectsOf(artist[list])) {
      const name = cleanTextValue(tag.name)
      const count = cleanOrdinal(tag.count)
      if (name !== undefined && count !== undefined) {
        votes.set(name, { count, genre: list === 'genres' })
      }
    }
  }
  const maxVotes = Math.max(...[...votes.values()].map(({ count }) => count))
  return [...votes]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([name, { count, genre }]) => ({
      name,
      frequency: count / maxVotes,
      ...(genre && { kind: 'style' as const }),
    }))
}

const URL_OF_RELATION: Readonly<Record<string, string>> = {
  'official homepage': 'officialUrl',
  'last.fm': 'lastfmUrl',
  wikipedia: 'wikipediaUrl',
  wikidata: 'wikidataUrl',
  myspace: 'myspaceUrl',
  discogs: 'discogsUrl',
  allmusic: 'allmusicUrl',
  bandcamp: 'bandcampUrl',
  soundcloud: 'soundcloudUrl',
  youtube: 'youtubeUrl',
  IMDb: 'imdbUrl',
}

/** Shops and social networks share relation types, so the host decides. */
const URL_OF_HOST: readonly [host: RegExp, name: string][] = [
  [/(?:^|\.)(?:itunes|music)\.apple\.com$/, 'itunesUrl'],
  [/(?:^|\.)amazon\.[a-z]+(?:\.[a-z]+)?$/, 'amazonUrl'],
  [/(?:^|\.)last\.fm$/, 'lastfmUrl'],
  [/(?:^|\.)myspace\.com$/, 'myspaceUrl'],
]

function urlsOf(artist: Json, id: string | undefined): ArtistRecord['urls'] {
  const urls: Record<string, string> = {}
  for (const { type, address } of addressesOf(artist)) {
    const host = URL.canParse(address) ? new URL(address).hostname : ''
    const name = URL_OF_RELATION[type] ?? URL_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
    if (name !== undefined) urls[name] ??= address
  }
  if (id !== undefined) urls.mbUrl = `https://musicbrainz.org/artist/${id}`
  return definedFields(urls)
}

/** Relations that have not ended. */
function addressesOf(artist: Json): { type: string; address: string }[] {
  return objectsOf(artist.relations).flatMap(({ type, ended, url }) => {
    const address = cleanTextValue(objectOf(url)?.resource)
    return address === undefined || ended === true ? [] : [{ type: String(type), address }]
  })
}

function spotifyIdsOf(artist: Json): { catalog: string; foreignId: string }[] {
  const ids = addressesOf(artist).flatMap(
    ({ address }) => /^https:\/\/open\.spotify\.com\/artist\/(\w{22})/.exec(address)?.[1] ?? [],
  )
  return [...new Set(ids)].map((foreignId) => ({ catalog: 'spotify', foreignId }))
}
