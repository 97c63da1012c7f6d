import { corrected } from '../analysis/correction/correct.ts'
import { SUMMARY_VERSION, summarize } from '../analysis/document-summary.ts'
import type { Handler, Running } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { songChanged } from '../song/from-track.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { readDocument } from './read-document.ts'
import type { TrackRoom } from './room.ts'

/** The kind of the job that makes the summaries of older versions anew. */
const SUMMARIZE_JOB = 'track/summarize'

/** Rows read at a time. */
const PAGE = 100

/** Has the summaries made anew that an older version made. */
export function summarizeSoon({
  analyses,
  enqueue,
}: Pick<TrackRoom, 'enqueue'> & { analyses: AnalysisStore }): void {
  if (!analyses.hasOlderSummary(SUMMARY_VERSION)) return
  enqueue({ kind: SUMMARIZE_JOB, subject: 'library' })
}

/**
 * The job that makes the summaries of older versions anew from their documents. Each is written when it
 * is known, so a stop loses nothing.
 */
export function summarizeJob({ store, analyses, corrections, song, host }: TrackRoom): Handler {
  return {
    kind: SUMMARIZE_JOB,
    concurrency: 1,
    async run(_job: unknown, { signal }: Running): Promise<() => void> {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: string[] = analyses.withOlderSummary(SUMMARY_VERSION, after, PAGE)
        for (const trackId of page) {
          await jobTurn(signal)
          try {
            const document = await readDocument(analyses.document(trackId), signal)
            const shown = corrected(document, corrections.of(trackId) ?? {})
            const summary = summarize(shown)
            store.atomically(() => {
              // It may have been analysed again meanwhile.
              if (analyses.summaryVersion(trackId) === SUMMARY_VERSION) return
              analyses.setSummary(trackId, summary)
              const songId = store.byId(trackId)?.songId
              if (songId != null) songChanged(song, songId)
            })
          } catch (error) {
            signal.throwIfAborted()
            host.log('warn', `The stored analysis of ${trackId} is damaged.`, error)
          }
        }
        after = page.at(-1)
      }
      return () => {}
    },
    failed() {},
  }
}
