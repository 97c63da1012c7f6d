import { isUtf8 } from 'node:buffer'
import { decodeBytes, shortened } from '../values/text.ts'
import { utf16EncodingOf, withoutCutCharacter } from './text-encoding.ts'

/** It decides whether an importer can parse an input at all. */
type InputForm = 'binary' | 'empty' | 'json' | 'markup' | 'text'

/** By the first bytes. */
export interface InputKind {
  form: InputForm
  /** With the article: `a Rhythmbox library`. */
  what: string
  importer?: string | undefined
  /** If no importer reads it. */
  remedy?: string | undefined
  /** Other importers refuse it at once. */
  certain?: true | undefined
}

export const OPENING_BYTES = 2048

type KindRow = readonly [pattern: RegExp, what: string, importer?: string, remedy?: string]

const SCAN_REMEDY = 'its tags are read by music.tracks.scan() or upload()'
const CUE_SHEET_REMEDY = 'its tracks are parts of one file; scan the sound file'
const EXPORT_REMEDY = 'export it as CSV or text'

/** By the first bytes in hexadecimal digits. */
const BINARY_KINDS: readonly KindRow[] = [
  [/^53514c69746520666f726d6174203300/, 'a SQLite database', 'fromMillionSong'],
  [/^894844460d0a1a0a/, 'an HDF5 file', 'fromMillionSong'],
  [/^62706c697374/, 'a binary property list', '', 'export the library as XML'],
  [
    /^(?:4944330[234]|664c6143|4f676753|7776706b|4d414320..0f|ff[ef][23ab][^0f]|fff[19])/,
    'a sound file',
    '',
    SCAN_REMEDY,
  ],
  [/^(?:52494646.{8}57415645|464f524d.{8}414946|.{8}66747970)/, 'a sound file', '', SCAN_REMEDY],
  [/^(?:89504e47|ffd8ff|47494638)/, 'an image'],
  [/^255044462d/, 'a PDF document', '', EXPORT_REMEDY],
  [/^d0cf11e0/, 'an old Excel or Word document', '', EXPORT_REMEDY],
  [/^(?:377abcaf271c|52617221|.{514}7573746172)/, 'an archive', '', 'unpack it first'],
]

/** By the root element in lower case. */
const KINDS_BY_ROOT: Readonly<Record<string, Omit<InputKind, 'form' | 'certain'>>> = Object.freeze({
  plist: { what: 'a property list of Apple, as iTunes exports it', importer: 'fromITunes' },
  rhythmdb: { what: 'a Rhythmbox library', importer: 'fromRhythmbox' },
  playlist: { what: 'an XSPF playlist', importer: 'fromPlaylist' },
  asx: { what: 'an ASX playlist', importer: 'fromPlaylist' },
  smil: { what: 'a WPL playlist', importer: 'fromPlaylist' },
  html: { what: 'an HTML page', remedy: 'download the file that the page links to' },
  rss: { what: 'an RSS feed' },
  feed: { what: 'an Atom feed' },
  'rdf:rdf': { what: 'an RDF document or feed' },
  opml: { what: 'an OPML outline' },
  dj_playlists: { what: 'a Rekordbox collection', importer: 'fromRekordbox' },
  nml: { what: 'a Traktor collection', importer: 'fromTraktor' },
})

/** By keys that stand together. */
const JSON_KINDS: readonly KindRow[] = [
  [
    /^(?=[\s\S]*"endTime")[\s\S]*"msPlayed"/,
    'a streaming history of Spotify (account data)',
    'fromSpotifyData',
  ],
  [/"ms_played"|"master_metadata_/, 'an extended streaming history of Spotify', 'fromSpotifyData'],
  [
    /^\s*\{\s*"playlists"\s*:[\s\S]*"(?:lastModifiedDate|items)"/,
    "a user's playlists from Spotify",
    'fromSpotifyData',
  ],
  [
    /^\s*\{\s*"tracks"\s*:\s*\[\s*(?:\]\s*,\s*"albums"|\{[^{}]*"(?:artist|album)"\s*:\s*")/,
    'a library of Spotify (account data)',
    'fromSpotifyData',
  ],
  [
    /"danceability"|"audio_features"|"analyzer_version"|"https:\/\/api\.spotify/,
    "an answer of Spotify's Web API",
    'fromSpotify',
  ],
  [
    /"recenttracks"|"date"\s*:\s*\{[^{}]*"uts"|"lovedtracks"|"scrobbles"\s*:/,
    'an export of last.fm',
    'fromLastFm',
  ],
  [/"track_metadata"|"listened_at"/, 'an export of ListenBrainz', 'fromListenBrainz'],
  [/"sort-name"|"artist-credit"/, 'a dump of MusicBrainz', 'fromMusicBrainz'],
  [
    /^(?:[\s\S]*"code"\s{0,8}:\s{0,8}"eJ|(?=[\s\S]*"metadata")[\s\S]*"code")/,
    'an Echoprint dump',
    'fromEchoprintDump',
  ],
]

/** By the first lines. */
const TEXT_KINDS: readonly KindRow[] = [
  [
    /^#EXT-X-(?:TARGETDURATION|STREAM-INF|MEDIA-SEQUENCE)/m,
    'the list of an HLS stream, whose lines are pieces of one sound',
  ],
  [/^#EXTM3U/, 'an M3U playlist', 'fromPlaylist'],
  [/^\[playlist\]/i, 'a PLS playlist', 'fromPlaylist'],
  [/^#!/, 'a script'],
  [
    /^[ \t]{0,9}FILE[ \t](?:"[^"\n]*"|[^\s"]+)[ \t][A-Z0-9]+[ \t]{0,9}\r?$/im,
    'a cue sheet',
    '',
    CUE_SHEET_REMEDY,
  ],
  [/^[ \t]{0,9}TRACK \d{1,3} AUDIO[ \t]{0,9}\r?$/im, 'a cue sheet', '', CUE_SHEET_REMEDY],
]

/** By the first line. */
const TABLE_KINDS: readonly KindRow[] = [
  [/^(?:TR|SO|AR)[0-9A-Z]{16}<SEP>/, 'a text of the Million Song Dataset', 'fromMillionSong'],
  [/^[^\t\n]+\tSO[0-9A-Z]{16}\t\d+\s*$/, 'triplets of the Taste Profile', 'fromTasteProfile'],
  [/^"?(?:Track URI|Spotify ID|Track ID)"?,"?Track Name/i, 'a CSV of Exportify', 'fromCsv'],
  [/^"?uts"?,"?utc_time/i, 'a CSV of a last.fm export', 'fromLastFm'],
  [/recording_mbid/, 'the canonical CSV of MusicBrainz', 'fromMusicBrainz'],
]

export function kindOfOpening(opening: Uint8Array): InputKind | undefined {
  const hex = Buffer.from(opening.subarray(0, 512)).toString('hex')
  for (const [pattern, what, importer, remedy] of BINARY_KINDS) {
    if (pattern.test(hex)) return inputKindOf('binary', { what, importer, remedy, certain: true })
  }
  const start = textOfOpening(opening).trimStart()
  if (start === '') return { form: 'empty', what: 'an empty file', certain: true }
  if (start.includes('\0')) return { form: 'binary', what: 'a binary file', certain: true }
  return kindOfMarkup(start) ?? kindOfJson(start) ?? kindOfText(start)
}

/** By a BOM, else as UTF-8 or Windows-1252. */
function textOfOpening(opening: Uint8Array): string {
  const encoding =
    utf16EncodingOf(opening) ?? (isUtf8(withoutCutCharacter(opening)) ? 'utf-8' : 'windows-1252')
  return decodeBytes(opening, encoding)
}

/** What may precede the root element. */
const XML_PROLOG =
  /^(?:<\?[^?]*(?:\?[^?>][^?]*)*\?>|<!--[^-]*(?:-[^-][^-]*)*-->|<!doctype\s[^[>]*(?:\[[^\]]*\][^>]{0,99})?>|\s)+/i
const HTML_START = /^(?:<!doctype html|<(?:html|head|body|table|div|p|meta|title)[\s>])/i

function kindOfMarkup(start: string): InputKind | undefined {
  if (!/^<[?!a-z]/i.test(start)) return undefined
  const root = /^<([a-z][\w:.-]*)/i.exec(start.replace(XML_PROLOG, ''))?.[1]
  const name = HTML_START.test(start) ? 'html' : root?.toLowerCase()
  if (name === undefined) return inputKindOf('markup', { what: 'XML' })
  const knownKind = Object.hasOwn(KINDS_BY_ROOT, name) ? KINDS_BY_ROOT[name] : undefined
  return inputKindOf('markup', {
    ...(knownKind ?? { what: `XML with the root <${shortened(root ?? name)}>` }),
    certain: true,
  })
}

function kindOfJson(start: string): InputKind | undefined {
  if (
    !/^(?:\{\s*(?:["}]|$)|\[\s*(?:[{["\]]|-?\d+(?:\.\d+)?\s*[,\n]|null|true|false|$))/.test(start)
  ) {
    return undefined
  }
  const row = JSON_KINDS.find(([pattern]) => pattern.test(start))
  return inputKindOf(
    'json',
    row ? { what: row[1], importer: row[2] } : { what: 'JSON of another kind' },
  )
}

function kindOfText(start: string): InputKind | undefined {
  const row = TEXT_KINDS.find(([pattern]) => pattern.test(start))
  if (row) {
    const [, what, importer, remedy] = row
    return inputKindOf('text', { what, importer, remedy, certain: true })
  }
  const [firstLine = '', ...moreLines] = start.split(/\r\n?|\n/, 4)
  const table = TABLE_KINDS.find(([pattern]) => pattern.test(firstLine))
  if (table) return inputKindOf('text', { what: table[1], importer: table[2] })
  return isTable([firstLine, ...moreLines].filter((line) => line.trim() !== ''))
    ? inputKindOf('text', { what: 'a CSV', importer: 'fromCsv' })
    : undefined
}

/** The second line has at least as many columns. */
function isTable([firstLine = '', secondLine]: string[]): boolean {
  if (/^"?sep=.$/i.test(firstLine)) return true
  return [',', ';', '\t'].some((delimiter) => {
    const columns = firstLine.split(delimiter).length - 1
    return columns > 0 && (secondLine === undefined || secondLine.split(delimiter).length > columns)
  })
}

function inputKindOf(
  form: InputForm,
  { importer, ...kindOfInput }: Omit<InputKind, 'form'>,
): InputKind {
  return { form, ...kindOfInput, importer: importer || undefined }
}
