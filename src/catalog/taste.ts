import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty, whole } from '../options/parameter-types.ts'
import { timestamp } from '../values/text.ts'
import { eachTime } from './play-times.ts'
import type { CatalogRoom } from './room.ts'
import { type TasteRow, TasteStore } from './taste-store.ts'

const DAY_SECONDS = 86_400
const SHOWN = 50

/** A value, and how much of it is in a taste. */
export interface TasteCount {
  /** Items of the catalog. */
  items: number
  /** Their plays. */
  plays: number
}

/** A range of a distribution. */
export interface TasteRange extends TasteCount {
  /** The least value of the range. */
  from: number
  /** The least value above the range. */
  to: number
}

/** How a value is distributed over the items whose song is known. */
export interface TasteDistribution extends TasteCount {
  /** The mean by plays, an item without plays as one; absent if no value is known. */
  mean?: number
  /** The ranges that are not empty, in order. */
  ranges: TasteRange[]
}

/** An artist of a taste, and how it changes. */
export interface TasteArtist extends TasteCount {
  /** The name. */
  name: string
  /** Plays since `since`, as far as times are known. */
  recent: number
  /** Plays in as many days before `since`. */
  before: number
  /** When an item was last played, `YYYY-MM-DDThh:mm:ss` in UTC. */
  lastPlayed?: string
}

/** What the owner of a catalog likes. Banned items are left out. */
export interface Taste extends TasteCount {
  /** Plays whose time is known. */
  dated: number
  /** Where recent plays begin, `YYYY-MM-DDThh:mm:ss` in UTC. */
  since: string
  /** Beats per minute, in ranges of 10. */
  tempo: TasteDistribution
  /** 0…1, in ranges of 0.1. */
  energy: TasteDistribution
  /** Keys, the most played first. */
  keys: (TasteCount & {
    /** Pitch class, 0 for C. */
    key: number
    /** 0 minor, 1 major. */
    mode: number
  })[]
  /** The years of the songs, in order. */
  years: (TasteCount & {
    /** The year. */
    year: number
  })[]
  /** Terms of the artists, the most played first. */
  terms: (TasteCount & {
    /** The term. */
    name: string
  })[]
  /** Artists, the most played first. */
  artists: TasteArtist[]
  /** Artists that are played more since `since` than in as many days before, the steepest first. */
  growing: TasteArtist[]
  /** Artists that were played, and are played less or no more, the steepest first. */
  fading: TasteArtist[]
  /** The plays of each calendar year (UTC), in order. */
  played: {
    /** The year. */
    year: number
    /** Plays in it. */
    plays: number
  }[]
}

/** `catalog/taste` (ours): the distributions of what is in a catalog, weighed by its plays. */
export const readTaste = method({
  name: 'catalog/taste',
  parameters: z.strictObject({
    /** `CA…` */
    id: nonEmpty,
    /** How many days before now are recent, 1…3,660. Default 90. */
    days: whole.min(1).max(3660).default(90),
  }),
  run(room: CatalogRoom, { id, days }): Taste {
    const now = Math.floor(room.now() / 1000)
    return room.atomically.reading(() => {
      const { num } = room.catalogs.findCatalog(id)
      const store = new TasteStore(room.catalogs.db)
      const summing = new TasteSum(room, { now, days })
      for (const row of store.items(num)) summing.add(row)
      return summing.taste(store.terms(num, SHOWN))
    })
  },
})

class TasteSum {
  readonly #columns: ReturnType<CatalogRoom['song']['store']['columns']['readColumns']>['columns']
  readonly #since: number
  readonly #before: number
  readonly #total: TasteCount = { items: 0, plays: 0 }
  readonly #tempo = new RangeSum(10)
  readonly #energy = new RangeSum(0.1)
  readonly #keys = new Map<number, TasteCount>()
  readonly #years = new Map<number, TasteCount>()
  readonly #artists = new Map<string, TasteArtist & { last: number }>()
  readonly #played = new Map<number, number>()
  #dated = 0

  constructor({ song }: CatalogRoom, { now, days }: { now: number; days: number }) {
    this.#columns = song.store.columns.readColumns().columns
    this.#since = now - days * DAY_SECONDS
    this.#before = this.#since - days * DAY_SECONDS
  }

  add({ playCount, song, artistName, year, times }: TasteRow): void {
    this.#total.items++
    this.#total.plays += playCount
    if (song !== null) {
      const { tempo, energy, key, mode } = this.#columns
      this.#tempo.add(tempo[song], playCount)
      this.#energy.add(energy[song], playCount)
      const [pitch = 255, scale = 255] = [key[song], mode[song]]
      if (pitch < 12 && scale < 2) count(this.#keys, pitch * 2 + scale, playCount)
    }
    if (year !== null) count(this.#years, year, playCount)
    const artist = artistName === null ? undefined : this.#artist(artistName)
    if (artist) {
      artist.items++
      artist.plays += playCount
    }
    if (times !== null) this.#addTimes(times, artist)
  }

  #artist(name: string): TasteArtist & { last: number } {
    const known = this.#artists.get(name)
    if (known) return known
    const artist = { name, items: 0, plays: 0, recent: 0, before: 0, last: 0 }
    this.#artists.set(name, artist)
    return artist
  }

  #addTimes(times: Uint8Array, artist: (TasteArtist & { last: number }) | undefined): void {
    // Most plays of an item are in the year of the one before.
    let [year, end] = [0, 0]
    eachTime(times, (time) => {
      this.#dated++
      if (time >= end) {
        year = new Date(time * 1000).getUTCFullYear()
        end = Date.UTC(year + 1, 0) / 1000
      }
      this.#played.set(year, (this.#played.get(year) ?? 0) + 1)
      if (!artist) return
      if (time >= this.#since) artist.recent++
      else if (time >= this.#before) artist.before++
      if (time > artist.last) artist.last = time
    })
  }

  taste(terms: Taste['terms']): Taste {
    const artists = Array.from(this.#artists.values(), ({ last, ...artist }) =>
      last === 0 ? artist : { ...artist, lastPlayed: timestamp(last * 1000) },
    )
    const change = ({ recent, before }: TasteArtist) => recent - before
    const changed = (sign: number) =>
      artists
        .filter((artist) => sign * change(artist) > 0)
        .sort((a, b) => sign * (change(b) - change(a)) || byPlays(a, b))
        .slice(0, SHOWN)
    return {
      ...this.#total,
      dated: this.#dated,
      since: timestamp(this.#since * 1000),
      tempo: this.#tempo.distribution(),
      energy: this.#energy.distribution(),
      keys: Array.from(this.#keys, ([at, counts]) => ({
        key: Math.floor(at / 2),
        mode: at % 2,
        ...counts,
      })).sort(byPlays),
      years: Array.from(this.#years, ([year, counts]) => ({ year, ...counts })).sort(
        (a, b) => a.year - b.year,
      ),
      terms,
      artists: [...artists].sort(byPlays).slice(0, SHOWN),
      growing: changed(1),
      fading: changed(-1),
      played: Array.from(this.#played, ([year, plays]) => ({ year, plays })).sort(
        (a, b) => a.year - b.year,
      ),
    }
  }
}

function byPlays(a: TasteCount, b: TasteCount): number {
  return b.plays - a.plays || b.items - a.items
}

function count<K>(counts: Map<K, TasteCount>, value: K, plays: number): void {
  const known = counts.get(value)
  if (known === undefined) counts.set(value, { items: 1, plays })
  else {
    known.items++
    known.plays += plays
  }
}

/** Sums a value over items, in ranges of one width. */
class RangeSum {
  readonly #width: number
  readonly #ranges = new Map<number, TasteCount>()
  #sum = 0
  #weight = 0

  constructor(width: number) {
    this.#width = width
  }

  /** @param value - nothing, or NaN, where it is not known */
  add(value: number | undefined, plays: number): void {
    if (value === undefined || Number.isNaN(value)) return
    count(this.#ranges, Math.floor(value / this.#width + 1e-9), plays)
    const weight = Math.max(1, plays)
    this.#sum += weight * value
    this.#weight += weight
  }

  distribution(): TasteDistribution {
    const bound = (at: number) => Math.round(at * this.#width * 10) / 10
    const ranges = [...this.#ranges]
      .sort(([a], [b]) => a - b)
      .map(([at, counts]) => ({ from: bound(at), to: bound(at + 1), ...counts }))
    const total = (name: 'items' | 'plays') => ranges.reduce((sum, range) => sum + range[name], 0)
    return {
      items: total('items'),
      plays: total('plays'),
      ...(this.#weight > 0 && { mean: this.#sum / this.#weight }),
      ranges,
    }
  }
}
