import { shortened } from '../values/text.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { cleanTextValue } from './cleaning.ts'
import { columnsByRole, plainHeader } from './column-names.ts'
import { csvRowsOf } from './csv-rows.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { filesBelow, type ImportInput, invalidInput, isFolderPath, peekBytes } from './input.ts'
import { kindOfOpening, OPENING_BYTES } from './input-kind.ts'
import { jsonElementsOf } from './json-elements.ts'
import { type Scrobble, scrobblesIn } from './last-fm-json.ts'
import { timeOfListen } from './listen-time.ts'
import { PlayHistory } from './play-history.ts'

/**
 * Reads a history of last.fm as entries for `catalog.update`, one for each song, with its number of
 * scrobbles and their times. A CSV of the usual exporters names its columns (`uts`, `artist`,
 * `album`, `track` …), or has artist, album, track and date. JSON holds answers of
 * `user.getRecentTracks`, alone or in a list of pages, or `{ scrobbles: [...] }`. Loved tracks
 * (`user.getLovedTracks`) become `favorite`.
 *
 * A scrobble that stands twice counts once, and one whose time cannot be read counts without. A
 * track that was playing during the export is left out. Entries come after the last scrobble; songs
 * and times are kept in memory.
 *
 * @param input - the path of a file or a folder of files, or bytes
 * @throws {ParameterError} when the input has no scrobbles, or is truncated
 * @example
 * ```ts
 * import { fromLastFm } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'last.fm', type: 'song' })
 * await catalog.update(fromLastFm('recenttracks-somebody.csv'))
 * ```
 */
export function fromLastFm(
  input: ImportInput,
  options: SkippingOptions = {},
): Imported<CatalogEntry> {
  return importRecords(LAST_FM_TRAITS, input, options, entriesOfLastFm)
}

const LAST_FM_TRAITS = {
  name: 'fromLastFm',
  reads: 'a history of last.fm (CSV or JSON)',
  forms: ['json', 'text'],
} as const

async function* entriesOfLastFm(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  const history = new PlayHistory()
  if (!(await isFolderPath(input))) await addFile(history, input, run)
  else {
    for await (const file of filesBelow(input as string, /\.(?:csv|tsv|txt|json)(?:\.gz)?$/i)) {
      await addFile(history, file, run)
    }
  }
  yield* history.makeEntries((count) => {
    for (let i = 0; i < count; i++) run.leaveOut(input, 'a scrobble stands twice')
  })
}

async function addFile(
  history: PlayHistory,
  givenInput: ImportInput,
  run: ImportRun,
): Promise<void> {
  const { opening, input } = await peekBytes(givenInput, OPENING_BYTES)
  const scrobbles =
    kindOfOpening(opening)?.form === 'json'
      ? scrobblesOfJson(input, run)
      : scrobblesOfCsv(input, run)
  const fileName = typeof givenInput === 'string' ? givenInput : undefined
  for await (const scrobble of scrobbles) addScrobble(history, scrobble, run, fileName)
}

function addScrobble(
  history: PlayHistory,
  { song, time, isLoved, isPlaying, line }: Scrobble & { line?: number | undefined },
  run: ImportRun,
  fileName: string | undefined,
): void {
  run.countRead()
  if (isPlaying) run.leaveOut(fileName, 'a track was playing during the export', line)
  else if (song === undefined) run.leaveOut(fileName, 'a scrobble names no track', line)
  else if (isLoved && time === undefined) history.addRemark(song, { favorite: true })
  else {
    const seconds = timeOfListen(time)
    if (seconds === undefined) {
      run.leaveOut(fileName, 'the time of a scrobble cannot be read; it counts without', line)
    }
    history.addRemark(song, {
      time: seconds,
      isOfMinute: isWithoutSeconds(time),
      playCount: 1,
      ...(isLoved && { favorite: true as const }),
    })
  }
}

/** `20 Jul 2015 12:34`. */
function isWithoutSeconds(time: unknown): boolean {
  return typeof time === 'string' && /(?:^|[T ,])\d{1,2}:\d\d$/.test(time.trim())
}

async function* scrobblesOfJson(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<Scrobble, void> {
  for await (const element of jsonElementsOf(input, run)) {
    let hasAny = false
    for (const scrobble of scrobblesIn(element)) {
      hasAny = true
      yield scrobble
    }
    if (!hasAny) run.leaveOut(input, 'an element holds no scrobble')
  }
}

interface ScrobbleColumns {
  track: string
  artist: string | undefined
  album: string | undefined
  time: string | undefined
}

/** The most exact first. */
const TIME_HEADERS =
  'uts timestamp unixtimestamp listenedat playedat scrobbletime utctime datetime time date'.split(
    ' ',
  )

async function* scrobblesOfCsv(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<Scrobble & { line: number }, void> {
  let columns: ScrobbleColumns | undefined
  for await (const { row, line } of csvRowsOf(input, { header: false })) {
    if (typeof row === 'string') {
      run.skip(input, row, line)
      continue
    }
    if (columns === undefined) {
      const foundColumns = namedColumns(Object.values(row))
      columns = foundColumns ?? columnsWithoutNames(Object.values(row), input, run)
      if (foundColumns) continue
    }
    const { track, artist, album, time } = columns
    const songName = cleanTextValue(row[track])
    yield {
      line,
      song:
        songName === undefined
          ? undefined
          : {
              songName,
              artistName: cleanTextValue(row[artist ?? '']),
              release: cleanTextValue(row[album ?? '']),
            },
      time: cleanTextValue(row[time ?? '']),
    }
  }
}

/** `undefined` if the first row holds no names. */
function namedColumns(names: string[]): ScrobbleColumns | undefined {
  const roles = columnsByRole(names)
  const [track, artist] = [roles.get('title'), roles.get('artist')]
  if (track === undefined || artist === undefined) return undefined
  const positionOf = (name: string | undefined) =>
    name === undefined ? undefined : String(names.indexOf(name))
  // One exporter writes the user after the name: `Date#somebody`.
  const plainNames = names.map((name) => plainHeader(name.replace(/#.*$/s, '')))
  const timeName = TIME_HEADERS.find((name) => plainNames.includes(name))
  return {
    track: String(names.indexOf(track)),
    artist: positionOf(artist),
    album: positionOf(roles.get('release')),
    time: timeName === undefined ? undefined : String(plainNames.indexOf(timeName)),
  }
}

/** The service began in 2002. */
const FIRST_SCROBBLE = 1_000_000_000

/** @throws {ParameterError} unless the row is artist, album, track and a time */
function columnsWithoutNames(
  fields: string[],
  input: ImportInput,
  run: ImportRun,
): ScrobbleColumns {
  const lastField = fields.length - 1
  const time = timeOfListen(fields[lastField])
  const isTimed = fields[lastField]?.trim() === '' || (time !== undefined && time >= FIRST_SCROBBLE)
  if (isTimed && (lastField === 2 || lastField === 3)) {
    const hasAlbum = lastField === 3
    return {
      artist: '0',
      album: hasAlbum ? '1' : undefined,
      track: hasAlbum ? '2' : '1',
      time: String(lastField),
    }
  }
  throw invalidInput(
    input,
    `has no columns that are known to be track and artist (its first row: ${shortened(fields.join(', '))})${run.likenessText()}`,
  )
}
