import { cleanTextValue } from './cleaning.ts'
import type { PlayedSong } from './play-history.ts'
import { type Json, objectOf } from './rows.ts'

export interface Scrobble {
  /** Absent if it names no track. */
  song: PlayedSong | undefined
  /** As it is written. */
  time: unknown
  isLoved?: boolean
  /** During the export. */
  isPlaying?: boolean
}

/** Whether what is in them is of last.fm beyond doubt. */
const CONTAINER_FIELDS = {
  recenttracks: true,
  scrobbles: true,
  lovedtracks: true,
  track: false,
  tracks: false,
  items: false,
} as const

interface Context {
  isLoved: boolean
  /** An object with names is a scrobble although it has no time. */
  isCertain: boolean
}

/** In an answer, a page, a list or a scrobble itself. */
export function* scrobblesIn(
  value: unknown,
  context: Context = { isLoved: false, isCertain: false },
): Generator<Scrobble, void> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* scrobblesIn(entry, context)
    return
  }
  const object = objectOf(value)
  if (object === undefined) return
  if (isScrobble(object, context)) {
    yield scrobbleOf(object, context.isLoved)
    return
  }
  for (const [field, isOfService] of Object.entries(CONTAINER_FIELDS)) {
    yield* scrobblesIn(object[field], {
      isLoved: context.isLoved || field === 'lovedtracks',
      isCertain: context.isCertain || isOfService,
    })
  }
}

const TIME_FIELDS = ['date', 'timestamp', 'uts', 'time', '@attr']

function isScrobble(object: Json, { isCertain }: Context): boolean {
  const isNamed = 'artist' in object && ('name' in object || 'track' in object || 'title' in object)
  return isNamed && (isCertain || TIME_FIELDS.some((field) => field in object))
}

function scrobbleOf(object: Json, isInLoved: boolean): Scrobble {
  const songName = nameOfService(object.name ?? object.track ?? object.title)
  const date = object.date ?? object.timestamp ?? object.uts ?? object.time
  const time = objectOf(date)?.uts ?? objectOf(date)?.['#text'] ?? date
  const isPlaying = String(objectOf(object['@attr'])?.nowplaying) === 'true'
  return {
    song:
      songName === undefined
        ? undefined
        : {
            songName,
            artistName: nameOfService(object.artist),
            release: nameOfService(object.album),
          },
    // A loved track has the time at which it was loved.
    time: isInLoved ? undefined : time,
    isLoved: isInLoved || String(object.loved) === '1',
    ...(isPlaying && { isPlaying }),
  }
}

/** Alone or in an object of the service. */
function nameOfService(value: unknown): string | undefined {
  const object = objectOf(value)
  return cleanTextValue(object ? (object['#text'] ?? object.name ?? object.title) : value)
}
