import { basename, relative, sep } from 'node:path'
import picomatch from 'picomatch'
import { wordSet } from '../values/text.ts'

export interface FilterOptions {
  include?: string | readonly string[] | undefined
  exclude?: string | readonly string[] | undefined
  extensions?: readonly string[] | undefined
}

/** With `unknown`, the content must decide. */
export type NameVerdict = 'audio' | 'other' | 'unknown'

const AUDIO_EXTENSIONS = wordSet(`
  mp3 wav wave aif aiff aifc au snd ogg oga opus flac
  m4a m4b m4r mp4 aac`)

/** They are not opened: a cover per album is slow on a slow disk. */
const OTHER_EXTENSIONS = wordSet(`
  jpg jpeg png gif webp bmp tif tiff heic avif svg ico psd
  txt md nfo log cue lrc srt pdf doc docx rtf html htm xml json csv yaml yml ini
  m3u m3u8 pls xspf wpl asx
  sfv md5 ffp sha1 sha256 torrent zip rar 7z gz tar iso
  db sqlite url lnk exe dll part crdownload tmp bak`)

/** Folders of operating systems and file servers, in lower case. */
const SYSTEM_FOLDERS = wordSet('$recycle.bin lost+found @eadir #recycle')

export class FolderFilter {
  readonly #included: ((path: string) => boolean) | undefined
  readonly #excluded: (path: string) => boolean
  readonly #extensions: ReadonlySet<string> | undefined

  constructor({ include, exclude = [], extensions }: FilterOptions) {
    this.#included = include === undefined ? undefined : buildMatcher([include].flat())
    this.#excluded = buildMatcher([exclude].flat())
    this.#extensions =
      extensions &&
      new Set(extensions.map((extension) => extension.replace(/^\./, '').toLowerCase()))
  }

  isFolderTaken(root: string, folder: string): boolean {
    const name = basename(folder).toLowerCase()
    if (name.startsWith('.') || SYSTEM_FOLDERS.has(name)) return false
    return name !== 'system volume information' && !this.#excluded(pathBelowRoot(root, folder))
  }

  verdictOf(root: string, file: string): NameVerdict {
    const name = basename(file)
    if (name.startsWith('.')) return 'other'
    const path = pathBelowRoot(root, file)
    if (this.#excluded(path) || this.#included?.(path) === false) return 'other'
    const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
    if (this.#extensions) return this.#extensions.has(extension) ? 'audio' : 'other'
    return AUDIO_EXTENSIONS.has(extension)
      ? 'audio'
      : OTHER_EXTENSIONS.has(extension)
        ? 'other'
        : 'unknown'
  }

  /** Whether a walk of `root` would find a file at this path. */
  isReached(root: string, file: string): boolean {
    const parts = relative(root, file).split(sep)
    const folders = parts.slice(0, -1).map((_, i) => [root, ...parts.slice(0, i + 1)].join(sep))
    return (
      folders.every((folder) => this.isFolderTaken(root, folder)) &&
      this.verdictOf(root, file) !== 'other'
    )
  }
}

/** With slashes, in Unicode form NFC, as patterns are. */
function pathBelowRoot(root: string, path: string): string {
  return relative(root, path).split(sep).join('/').normalize('NFC')
}

/** A pattern without a slash matches names at any depth. */
function buildMatcher(patterns: readonly string[]): (path: string) => boolean {
  const isMatches = patterns.map((pattern) => {
    const options = { nocase: true, dot: true, basename: !pattern.includes('/') }
    return picomatch(pattern.normalize('NFC'), options)
  })
  return (path) => isMatches.some((test) => test(path))
}
