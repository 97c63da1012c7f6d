import type { AnalysisDocument } from '../../../src/analysis/document.ts'

/** How sure a document is of its rhythm, 0…1. */
export interface RhythmConfidences {
  tempo: number
  metre: number
  /** Of each beat and of each bar. */
  beats: number[]
  bars: number[]
}

/** What confidences are of, and whether it is right. */
interface Judged {
  confidences: RhythmConfidences
  /** Scores of the tempo and the metre, 0 or 1; undefined where no label tells. */
  tempo: number | undefined
  metre: number | undefined
  beats: Times
  bars: Times
}

interface Times {
  found: readonly number[]
  /** Undefined where there are no labels. */
  true: readonly number[] | undefined
}

/** Confidences of which about four in five should be right. */
const [LEAST, MOST] = [0.75, 0.85]
/** Beats and bars are right within so many seconds, as by mir_eval. */
const NEAR = 0.07

export function rhythmConfidencesOf({
  track,
  beats,
  bars,
}: Pick<AnalysisDocument, 'track' | 'beats' | 'bars'>): RhythmConfidences {
  const ofEach = (list: readonly { confidence: number }[]) => list.map((one) => one.confidence)
  return {
    tempo: track.tempo_confidence,
    metre: track.time_signature_confidence,
    beats: ofEach(beats),
    bars: ofEach(bars),
  }
}

/** One line: of what has a confidence of 0.75 to 0.85, the share that is right. */
export function shareRight(pieces: readonly Judged[]): string {
  const share = (of: (piece: Judged) => readonly [confidence: number, right: number][]) => {
    const rights = pieces
      .flatMap(of)
      .flatMap(([confidence, right]) => (confidence >= LEAST && confidence < MOST ? [right] : []))
    const sum = rights.reduce((all, right) => all + right, 0)
    return rights.length === 0 ? 'none' : `${(sum / rights.length).toFixed(2)} of ${rights.length}`
  }
  const single = (what: 'tempo' | 'metre') =>
    share(({ confidences, [what]: right }) =>
      right === undefined ? [] : [[confidences[what], right]],
    )
  const each = (what: 'beats' | 'bars') =>
    share(({ confidences, [what]: { found, true: labels } }) =>
      labels === undefined
        ? []
        : found.map((time, i) => [
            confidences[what][i]!,
            Number(labels.some((label) => Math.abs(label - time) <= NEAR)),
          ]),
    )
  return (
    `right of confidences ${LEAST} to ${MOST}: tempo ${single('tempo')}, beats ${each('beats')}, ` +
    `bars ${each('bars')}, metre ${single('metre')}`
  )
}
