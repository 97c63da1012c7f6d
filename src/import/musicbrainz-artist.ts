import type { ArtistRecord } from '../client/artists.ts'
import * as clean from './cleaning.ts'
import { type Json, objectOf, objectsOf } from './rows.ts'

type Term = NonNullable<ArtistRecord['terms']>[number]

export function artistOfDocument(artist: Json, tags: boolean): ArtistRecord {
  const id = clean.text(artist.id)
  const name = clean.text(artist.name) ?? ''
  return clean.recordOf<ArtistRecord>({
    name,
    aliases: clean.some(aliasesOf(artist, name)),
    location: locationOf(artist),
    yearsActive: yearsActiveOf(artist),
    terms: tags ? clean.some(termsOf(artist)) : undefined,
    foreignIds: clean.some([...clean.foreignIds({ musicbrainz: id }), ...spotifyIdsOf(artist)]),
    urls: urlsOf(artist, id),
  })
}

function aliasesOf(artist: Json, name: string): string[] {
  const names = objectsOf(artist.aliases).flatMap((alias) => clean.text(alias.name) ?? [])
  return [...new Set(names)].filter((alias) => alias !== name)
}

/** The place of origin and the area: `Liverpool, United Kingdom`. Areas have no coordinates. */
function locationOf(artist: Json): ArtistRecord['location'] {
  const areas = objectsOf([artist['begin-area'] ?? artist.begin_area, artist.area])
  const named = (types: readonly string[]) =>
    clean.text(areas.find(({ type }) => types.includes(String(type)))?.name)
  const country =
    named(['Country']) ??
    clean.text(areas.find((area) => Array.isArray(area['iso-3166-1-codes']))?.name) ??
    countryOf(clean.text(artist.country))
  const names = [...areas.map(({ name }) => clean.text(name)), country]
  const distinct = [...new Set(names.filter((name) => name !== undefined))]
  return clean.known({
    location: distinct.length === 0 ? undefined : distinct.join(', '),
    city: named(['City', 'Municipality']),
    region: named(['Subdivision']),
    country,
  })
}

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** A country by its code. `X…` codes of MusicBrainz, such as the whole world, are no country. */
function countryOf(code: string | undefined): string | undefined {
  if (code === undefined || !/^[A-Z]{2}$/.test(code) || /^X[A-Z]$/.test(code)) return undefined
  return COUNTRIES.of(code)
}

/** Types whose life span is their active time. The life span of a person is birth to death. */
const GROUPS = new Set(['Group', 'Orchestra', 'Choir'])

function yearsActiveOf(artist: Json): ArtistRecord['yearsActive'] {
  if (!GROUPS.has(String(artist.type))) return undefined
  const span = objectOf(artist['life-span'])
  const start = clean.year(firstYear(span?.begin))
  const end = clean.year(firstYear(span?.end))
  if (start === undefined || (end !== undefined && end < start)) return undefined
  // Without an end, the record would say that the group is still active.
  if (end === undefined && span?.ended === true) return undefined
  return [{ start, ...(end !== undefined && { end }) }]
}

/** The year of `1960`, `1960-08`, `1960-08-15`. */
export function firstYear(date: unknown): string | undefined {
  return typeof date === 'string' ? /^\d{4}(?=$|-)/.exec(date)?.[0] : undefined
}

/**
 * Genres and tags as terms. The frequency is the number of votes divided by the highest number.
 * Only genres get the kind `style`, because the kind of other tags is unknown.
 */
function termsOf(artist: Json): Term[] {
  const votes = new Map<string, { count: number; genre: boolean }>()
  for (const list of ['tags', 'genres'] as const) {
    for (const tag of objectsOf(artist[list])) {
      const name = clean.text(tag.name)
      const count = clean.ordinal(tag.count)
      if (name !== undefined && count !== undefined) {
        votes.set(name, { count, genre: list === 'genres' })
      }
    }
  }
  const most = Math.max(...[...votes.values()].map(({ count }) => count))
  return [...votes]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([name, { count, genre }]) => ({
      name,
      frequency: count / most,
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
  return clean.known(urls)
}

/** The addresses of relations that have not ended. */
function addressesOf(artist: Json): { type: string; address: string }[] {
  return objectsOf(artist.relations).flatMap(({ type, ended, url }) => {
    const address = clean.text(objectOf(url)?.resource)
    return address === undefined || ended === true ? [] : [{ type: String(type), address }]
  })
}

function spotifyIdsOf(artist: Json): { catalog: string; foreignId: string }[] {
  const ids = addressesOf(artist).flatMap(
    ({ address }) => /^https:\/\/open\.spotify\.com\/artist\/(\w{22})/.exec(address)?.[1] ?? [],
  )
  return [...new Set(ids)].map((foreignId) => ({ catalog: 'spotify', foreignId }))
}
