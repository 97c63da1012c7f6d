import type { BarEvidence } from './bar-phase.ts'
import type { Sounding, Span } from './levels.ts'
import { beatOddsAt, meanOf, NOISE } from './rhythm-confidence.ts'
import { viterbiPaths } from './state-space.ts'

const PAUSE = {
  /** Seconds at its ends in which the network still hears the music beside it. */
  edge: 4,
  /** Beats in a bar; beats alone count here. */
  metre: 4,
}

/** Where a track carries no beats: silence, and quiet stretches in which none is heard. */
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
  const from = Math.round((start + PAUSE.edge) * fps) - first
  const to = Math.round((end - PAUSE.edge) * fps) - first
  const inside = stretchOf(evidence, Math.max(0, from), to).activations
  const [path] = viterbiPaths(inside, [PAUSE.metre])
  return meanOf(Array.from(path!.frames, (frame) => beatOddsAt(frame, inside))) > NOISE
}

function stretchOf(evidence: BarEvidence, from: number, to: number): BarEvidence {
  const { activations, first } = evidence
  const [beat, down] = [activations.beat.subarray(from, to), activations.down.subarray(from, to)]
  return { ...evidence, activations: { fps: activations.fps, beat, down }, first: first + from }
}

/** The evidence of each part between pauses; of the whole where nothing else is left. */
export function partsBetween(pauses: readonly Span[], whole: BarEvidence): BarEvidence[] {
  const { activations, first } = whole
  const { fps, beat } = activations
  const inside = (seconds: number) =>
    Math.min(beat.length, Math.max(0, Math.round(seconds * fps) - first))
  const starts = [0, ...pauses.map(({ end }) => inside(end))]
  const ends = [...pauses.map(({ start }) => inside(start)), beat.length]
  const parts = starts.flatMap((from, i) => {
    const to = ends[i]!
    return to > from ? [stretchOf(whole, from, to)] : []
  })
  return parts.length > 0 ? parts : [whole]
}
