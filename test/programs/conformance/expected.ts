import { readFileSync } from 'node:fs'
import { hidesAlbum } from './documented.ts'
import type { Demand, Reference } from './facts.ts'

/** What is recorded of one file. */
interface Entry {
  group?: string
  audile: 'read' | 'read_with_ffmpeg' | 'refuse' | 'read_or_refuse'
  ffmpeg?: 'refuses'
  lossless?: boolean
  format?: string
  codec?: string
  sample_rate?: number
  channels?: number
  frames?: number
  streaminfo_frames?: number
  integrated_lufs?: number | null
  /** Lines of error that ffmpeg wrote. */
  complaints?: number
  title?: string | null
  artist?: string | null
  album?: string | null
}

/** A record of what files are, by their names. */
export class Expected {
  readonly #entries: Record<string, Entry>

  /** @throws when the file is not there, or no JSON */
  constructor(path: string) {
    this.#entries = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Entry>
  }

  get names(): string[] {
    return Object.keys(this.#entries)
  }

  /** @param withFfmpeg - whether audile is given an ffmpeg */
  reference(name: string, withFfmpeg: boolean): Reference | undefined {
    const entry = this.#entries[name]
    if (!entry) return undefined
    const demand = demandOf(entry, withFfmpeg)
    const { format, codec, lossless = false, sample_rate = 0, channels = 0 } = entry
    const reference: Reference = {
      demand,
      by: 'expected.json',
      format: codec === undefined ? (entry.group ?? '') : `${format?.split(',')[0]} (${codec})`,
      // Of lossy files it is not recorded whether they hold as much as their heads say.
      damaged: (entry.complaints ?? 0) > 0 || !lossless,
      lossless,
      sampleRate: sample_rate,
      channels,
      // Of a damaged stream its own head may know more samples than ffmpeg found.
      frames: Math.max(
        entry.frames ?? 0,
        demand === 'all or refuse' ? (entry.streaminfo_frames ?? 0) : 0,
      ),
      loudnessRounding: 0.05,
    }
    // Null is also recorded where ffmpeg could not measure; and for more channels than two the
    // loudness depends on a layout that is not recorded.
    if (channels <= 2 && typeof entry.integrated_lufs === 'number') {
      reference.loudness = entry.integrated_lufs
    }
    for (const key of ['title', 'artist', 'album'] as const) {
      if (entry[key] !== undefined) reference[key] = entry[key]
    }
    if (entry.album === null && hidesAlbum(format ?? '')) delete reference.album
    return reference
  }
}

function demandOf({ audile }: Entry, withFfmpeg: boolean): Demand {
  switch (audile) {
    case 'read':
      return 'read'
    case 'read_with_ffmpeg':
      return withFfmpeg ? 'read' : 'refuse and name ffmpegPath'
    case 'refuse':
      return 'refuse'
    case 'read_or_refuse':
      return 'all or refuse'
  }
}
