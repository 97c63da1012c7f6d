import type { Door, Params } from '../door.ts'
import type { ExportOptions } from './recordings.ts'

/** A track with its analysis, as `tracks.export` gives it and `tracks.import` takes it. */
export type TrackRecord = Params<'track/import'>['records'][number]

/** See {@link Tracks.export}. */
export async function* exportTracks(
  door: Door,
  { signal, onProgress }: ExportOptions,
): AsyncGenerator<TrackRecord> {
  let done = 0
  let after: number | undefined
  do {
    const page = await door.call('track/export', { after }, { signal })
    for (const record of page.records) {
      done++
      yield record
    }
    onProgress?.({ done, total: done + page.left })
    after = page.after
  } while (after !== undefined)
}
