import type { BarEvidence } from './bar-phase.ts'
import type { Sounding, Span } from './levels.ts'
import { beatOddsAt, meanValue, NOISE_ODDS } from './rhythm-confidence.ts'
import { viterbiPaths } from './state-space.ts'

const PAUSE_CHECK = {
  /** Seconds at its ends in which the network still hears the music beside it. */
  edge: 4,
  metre: 4,
}

/** Silence, and quiet stretches in which no beats are heard. */
export function pausesIn(evidence: BarEvidence, { silent = [], quiet = [] }: Sounding): Span[] {
  const unheard = quiet.filter((span) => !isHeard(evidence, span))
  const pauses: Span[] = []
  for (const { start, end } of [...silent, ...unheard].sort((a, b) => a.start - b.start)) {
    const last = pauses.at(-1)
    if (last && start <= last.end) last.end = Math.max(end, last.end)
    else pauses.push({ start, end })
  }
  return pauses
}

/** Whether beats that are tracked in a stretch alone are surer than in noise. */
function isHeard(evidence: BarEvidence, { start, end }: Span): boolean {
  const { activations, first } = evidence
  const { fps } = activations
  const firstFrame = Math.round((start + PAUSE_CHECK.edge) * fps) - first
  const endFrame = Math.round((end - PAUSE_CHECK.edge) * fps) - first
  const inside = evidenceBetween(evidence, Math.max(0, firstFrame), endFrame).activations
  const [path] = viterbiPaths(inside, [PAUSE_CHECK.metre])
  return meanValue(Array.from(path!.frames, (frame) => beatOddsAt(frame, inside))) > NOISE_ODDS
}

function evidenceBetween(evidence: BarEvidence, firstFrame: number, endFrame: number): BarEvidence {
  const { activations, first } = evidence
  const [beat, down] = [
    activations.beat.subarray(firstFrame, endFrame),
    activations.down.subarray(firstFrame, endFrame),
  ]
  return {
    ...evidence,
    activations: { fps: activations.fps, beat, down },
    first: first + firstFrame,
  }
}

/** Of the whole where nothing else is left. */
export function partsBetween(pauses: readonly Span[], wholeEvidence: BarEvidence): BarEvidence[] {
  const { activations, first } = wholeEvidence
  const { fps, beat } = activations
  const frameInside = (seconds: number) =>
    Math.min(beat.length, Math.max(0, Math.round(seconds * fps) - first))
  const starts = [0, ...pauses.map(({ end }) => frameInside(end))]
  const ends = [...pauses.map(({ start }) => frameInside(start)), beat.length]
  const parts = starts.flatMap((firstFrame, i) => {
    const endFrame = ends[i]!
    return endFrame > firstFrame ? [evidenceBetween(wholeEvidence, firstFrame, endFrame)] : []
  })
  return parts.length > 0 ? parts : [wholeEvidence]
}
