import type { AnalysisDocument, Interval, Segment } from '../../src/analysis-entry.ts'

/** A section of a made document: how many bars, how loud, with which chords. */
export interface MadeSection {
  bars: number
  /** dB of the loudest moment of each beat. */
  level: number
  /** The tonics of its bars, in turn. */
  chords?: readonly number[]
  /** Without onsets and pitches. */
  noise?: boolean
}

export interface Made {
  sections: readonly MadeSection[]
  /** Beats per minute; it may depend on the beat. */
  bpm?: number | ((beat: number) => number)
  /** Silence before and after, seconds. */
  lead?: number
  tail?: number
  metre?: number
  /** Beats before the first bar. */
  pickup?: number
  track?: Partial<AnalysisDocument['track']>
}

/** A document as an analyser would make it of music whose every beat is one sound. */
export function madeDocument(made: Made): AnalysisDocument {
  const { sections, bpm = 120, lead = 0, tail = 0, metre = 4, pickup = 0 } = made
  const edges = [lead]
  const count = pickup + metre * sections.reduce((sum, { bars }) => sum + bars, 0)
  for (let beat = 0; beat < count; beat++)
    edges.push(edges[beat]! + 60 / (typeof bpm === 'number' ? bpm : bpm(beat)))
  const end = edges.at(-1)!
  const beats = intervals(edges)
  const bars = intervals(edges.filter((_, i) => i >= pickup && (i - pickup) % metre === 0))
  const segments: Segment[] = lead > 0 ? [soundOf(0, lead, -60, 0, true)] : []
  const starts: number[] = []
  let beat = 0
  sections.forEach(({ bars: length, level, chords = [0, 5, 7, 0], noise = false }, s) => {
    starts.push(s === 0 ? 0 : edges[beat]!)
    const own = metre * length + (s === 0 ? pickup : 0)
    for (let i = 0; i < own; i++, beat++) {
      const chord = chords[Math.floor(i / metre) % chords.length]!
      segments.push(soundOf(edges[beat]!, edges[beat + 1]!, level, chord, noise))
    }
  })
  if (tail > 0) segments.push(soundOf(end, end + tail, -60, 0, true))
  const duration = end + tail
  segments[0]!.loudness_start = -60
  segments.at(-1)!.loudness_end = -60
  const track = {
    ...{ duration, num_samples: Math.round(duration * 22_050), tempo: 60 / (edges[1]! - lead) },
    ...{ tempo_confidence: 0.9, time_signature: metre, time_signature_confidence: 0.9 },
    ...{ key: 0, key_confidence: 0.8, mode: 1, mode_confidence: 0.8, loudness: -9 },
    ...{ end_of_fade_in: lead, start_of_fade_out: end },
    ...made.track,
  }
  return {
    meta: { analyzer_version: 'made', sample_rate: 44_100 },
    ...{ track, bars, beats, tatums: beats, segments },
    sections: starts.map((start, i) => ({
      ...{ start, duration: (starts[i + 1] ?? duration) - start, confidence: i === 0 ? 1 : 0.8 },
      ...{ loudness: sections[i]!.level, tempo: track.tempo, tempo_confidence: 0.9 },
      ...{ key: track.key, key_confidence: 0.8, mode: track.mode, mode_confidence: 0.8 },
      ...{ time_signature: metre, time_signature_confidence: 0.9 },
    })),
  } as unknown as AnalysisDocument
}

function intervals(edges: readonly number[]): Interval[] {
  return edges
    .slice(0, -1)
    .map((start, i) => ({ start, duration: edges[i + 1]! - start, confidence: 0.9 }))
}

function soundOf(
  start: number,
  end: number,
  level: number,
  chord: number,
  noise: boolean,
): Segment {
  return {
    ...{ start, duration: end - start, confidence: noise ? 0.1 : 1 },
    loudness_start: noise ? level : Math.max(-60, level - 15),
    ...{ loudness_max: level, loudness_max_time: noise ? 0 : 0.02 },
    pitches: Array.from({ length: 12 }, (_, k) =>
      noise ? 1 : [0, 4, 7].includes((k - chord + 12) % 12) ? 1 : 0.1,
    ),
    timbre: Array.from({ length: 12 }, () => 0),
  }
}

/** The moments of the beats of a document. */
export function beatsOf({ beats }: AnalysisDocument): number[] {
  return beats.map(({ start }) => start)
}
