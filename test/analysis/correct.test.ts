import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, analyze, correct, type Interval } from '../../src/analysis-entry.ts'
import { pick, whole } from '../support/chance.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { type Random, seeded } from '../support/music.ts'
import { beatTimes, type Pattern, play, RATE, ROCK, recall, WALTZ } from './drum-patterns.ts'

const startsOf = (list: readonly { start: number }[]) => list.map(({ start }) => start)

function intervals(edges: readonly number[], confidence = 0.5): Interval[] {
  return edges
    .slice(0, -1)
    .map((start, i) => ({ start, duration: edges[i + 1]! - start, confidence }))
}

function edgesOf(list: readonly Interval[]): number[] {
  const last = list.at(-1)
  return last ? [...startsOf(list), last.start + last.duration] : []
}

/** Most tests correct the same documents. */
const documents = new Map<string, AnalysisDocument>()

function documentOf(pattern: Pattern, beats: readonly number[]): AnalysisDocument {
  const key = JSON.stringify([pattern, beats])
  const known = documents.get(key)
  if (known) return known
  const samples = [play(pattern, beats, beats.at(-1)! + 1)]
  const document = analyze({ samples, sampleRate: RATE })
  documents.set(key, document)
  return document
}

/** The document of a pattern on beats, with other beats in place of those that were found. */
function misheard(
  pattern: Pattern,
  beats: readonly number[],
  heard: (beats: number[]) => number[],
  size = 4,
): AnalysisDocument {
  const document = documentOf(pattern, beats)
  const edges = heard([...beats, 2 * beats.at(-1)! - beats.at(-2)!])
  const lengths = edges.slice(1).map((edge, i) => edge - edges[i]!)
  const tempo = 60 / lengths.sort((a, b) => a - b)[lengths.length >> 1]!
  const track = { ...document.track, tempo, time_signature: size }
  const bars = intervals(edges.filter((_, i) => i % size === 0))
  return { ...document, track, bars, beats: intervals(edges), tatums: intervals(edges) }
}

const every =
  (step: number, first = 0) =>
  (edges: number[]) =>
    edges.filter((_, i) => i >= first && (i - first) % step === 0)

const divided = (parts: number) => (edges: number[]) =>
  edges.flatMap((edge, i) =>
    i + 1 < edges.length
      ? Array.from({ length: parts }, (_, k) => edge + ((edges[i + 1]! - edge) * k) / parts)
      : [edge],
  )

describe('the tempo', () => {
  const beats = beatTimes(132, 30)

  it('that was halved is doubled: beats that were found stay, others are between them', () => {
    for (const first of [0, 1]) {
      const document = misheard(ROCK, beats, every(2, first))
      const after = correct(document, { tempo: 'double' })
      expect(startsOf(after.beats)).toEqual(expect.arrayContaining(startsOf(document.beats)))
      expect(recall(beats.slice(first, -2), startsOf(after.beats), 0.02)).toBeGreaterThan(0.97)
      expect(after.track).toMatchObject({ tempo_confidence: 1, time_signature: 4 })
      expect(after.track.tempo).toBeCloseTo(2 * document.track.tempo, 9)
    }
  })

  it('that was doubled is halved: the accents say which beats stay, wherever the list begins', () => {
    for (const first of [0, 1, 2, 3]) {
      const document = misheard(ROCK, beats, (edges) => divided(2)(edges).slice(first))
      const after = startsOf(correct(document, { tempo: 'half' }).beats)
      expect(recall(beats.slice(2, -2), after, 0.02)).toBeGreaterThan(0.97)
    }
  })

  it.each([0, 1])('that was doubled is halved in each of two pieces: %d', (first) => {
    const one = misheard(ROCK, beats, divided(2))
    const two = misheard(ROCK, beatTimes(132, 30), (edges) => divided(2)(edges).slice(first))
    const later = one.track.duration
    const moved = <T extends Interval>(list: T[]) =>
      list.map((item) => ({ ...item, start: item.start + later }))
    const joined = [...edgesOf(one.beats), ...edgesOf(moved(two.beats))]
    const document: AnalysisDocument = {
      ...one,
      track: { ...one.track, duration: 2 * later, num_samples: 2 * one.track.num_samples },
      segments: [...one.segments, ...moved(two.segments)],
      beats: intervals(joined),
      tatums: intervals(joined),
      bars: [],
    }
    const after = startsOf(correct(document, { tempo: 'half' }).beats)
    const due = [...beats.slice(2, -4), ...beats.slice(4, -2).map((beat) => beat + later)]
    expect(recall(due, after, 0.02)).toBeGreaterThan(0.95)
  })

  it.each([
    [1 / 3, divided(3), 4],
    [2 / 3, (edges: number[]) => every(2)(divided(3)(edges)), 4],
    [3 / 2, (edges: number[]) => every(3)(divided(2)(edges)), 3],
    [3, every(3), 3],
  ])('in the ratio %d is that of other beats of the same music', (factor, heard, size) => {
    const document = misheard(factor > 1 ? WALTZ : ROCK, beats, heard, factor > 1 ? 4 : 3)
    const after = correct(document, { tempo: factor * document.track.tempo * 1.02 })
    expect(recall(beats.slice(3, -4), startsOf(after.beats), 0.05)).toBeGreaterThan(0.9)
    expect(after.track.time_signature).toBe(size)
    expect(brokenInvariants(after)).toEqual([])
  })

  it.each([
    ['in no simple ratio', 120],
    ['in one by chance', 97],
  ])('that is %s is tracked anew, by the onsets', (_, wrong) => {
    const document = misheard(ROCK, beats, () => beatTimes(wrong, 30))
    const after = correct(document, { tempo: 132.4 })
    expect(recall(beats.slice(1, -2), startsOf(after.beats), 0.03)).toBeGreaterThan(0.9)
    expect(after.track.tempo).toBe(132.4)
  })

  it('of a document without segments is halved by its bars', () => {
    const document = misheard(ROCK, beats, (edges) => edges)
    const bars = intervals(edgesOf(document.beats).filter((_, i) => i % 4 === 3))
    const after = correct({ ...document, bars, segments: [] }, { tempo: 'half' })
    expect(startsOf(after.beats)).toContain(beats[3])
    expect(startsOf(after.bars)).toContain(beats[3])
  })

  it('follows the music where it drifts', () => {
    const drifting = beatTimes((t) => 100 + t, 30)
    const document = misheard(ROCK, drifting, every(2))
    const after = correct(document, { tempo: 'double' })
    expect(recall(drifting.slice(0, -2), startsOf(after.beats), 0.02)).toBeGreaterThan(0.97)
    const [slow, fast] = [after.sections[0]!, after.sections.at(-1)!]
    if (after.sections.length > 1) expect(fast.tempo).toBeGreaterThan(slow.tempo + 5)
  })

  it('doubled in swung music has beats where the notes are, not in the middle', () => {
    const swung: Pattern = {
      beats: 4,
      drums: { kick: [0, 2], snare: [1, 3], hat: [0, 2 / 3, 1, 5 / 3, 2, 8 / 3, 3, 11 / 3] },
    }
    const slow = beatTimes(90, 30)
    const document = misheard(swung, slow, (edges) => edges)
    const tatums = intervals(divided(3)(edgesOf(document.beats)))
    const after = correct({ ...document, tatums }, { tempo: 'double' })
    const notes = slow.slice(0, -2).map((beat, i) => beat + ((slow[i + 1]! - beat) * 2) / 3)
    expect(recall(notes, startsOf(after.beats), 0.03)).toBeGreaterThan(0.95)
    expect(brokenInvariants(after)).toEqual([])
  })
})

describe('the downbeat', () => {
  const beats = beatTimes(150, 24)

  it('one beat late in a waltz is put right, and sections follow the bars', () => {
    const right = misheard(WALTZ, beats, (edges) => edges, 3)
    const edges = edgesOf(right.beats)
    const late = intervals(edges.filter((_, i) => i % 3 === 1))
    const middle = { ...right.sections[0]! }
    const cut = late[10]!.start
    const sections = [
      { ...middle, start: 0, duration: cut },
      { ...middle, start: cut, duration: right.track.duration - cut, confidence: 0.5 },
    ]
    const after = correct({ ...right, bars: late, sections }, { downbeat: beats[12]! + 0.05 })
    expect(startsOf(after.bars)).toEqual(startsOf(right.bars))
    expect(after.bars.every(({ confidence }) => confidence === 1)).toBe(true)
    expect(startsOf(after.bars)).toContain(after.sections[1]!.start)
    expect(Math.abs(after.sections[1]!.start - cut)).toBeLessThan(0.45)
    expect(after.beats).toBe(right.beats)
  })

  it('that is already one changes nothing', () => {
    const document = misheard(WALTZ, beats, (edges) => edges, 3)
    expect(correct(document, { downbeat: beats[6]! + 0.03 })).toEqual(document)
  })

  it('between the beats moves them to where the music is', () => {
    const document = misheard(ROCK, beats, (edges) =>
      edges.slice(1).map((edge, i) => (edge + edges[i]!) / 2),
    )
    const after = correct(document, { downbeat: beats[8]! })
    expect(after.beats[0]?.start).toBeCloseTo(beats[0]!, 1)
    expect(recall(beats.slice(0, -2), startsOf(after.beats), 0.02)).toBeGreaterThan(0.97)
    expect(
      recall(beats.filter((_, i) => i % 4 === 0).slice(0, -1), startsOf(after.bars), 0.02),
    ).toBe(1)
  })

  it('decides which beats a halved tempo keeps', () => {
    const document = misheard(ROCK, beats, (edges) => edges)
    for (const beat of [4, 5]) {
      const after = correct(document, { tempo: 'half', downbeat: beats[beat]! })
      expect(startsOf(after.bars).some((start) => Math.abs(start - beats[beat]!) < 0.02)).toBe(true)
    }
  })

  it('and a tempo are enough for beats without any onset', () => {
    const document = { ...misheard(ROCK, beats, () => []), segments: [] }
    expect(correct(document, { tempo: 100 }).beats).toEqual([])
    const { bars, beats: even } = correct(document, { tempo: 100, downbeat: 1.25 })
    expect(startsOf(bars)).toContain(1.25)
    expect(even.slice(0, -1).every(({ duration }) => Math.abs(duration - 0.6) < 0.02)).toBe(true)
  })
})

describe('the time signature', () => {
  it('regroups the beats by accents', () => {
    const beats = beatTimes(140, 30)
    const document = misheard(WALTZ, beats, (edges) => edges, 4)
    const after = correct(document, { timeSignature: 3 })
    expect(after.track).toMatchObject({ time_signature: 3, time_signature_confidence: 1 })
    expect(
      recall(beats.filter((_, i) => i % 3 === 0).slice(0, -2), startsOf(after.bars), 0.02),
    ).toBe(1)
    expect(after.sections.every((section) => section.time_signature === 3)).toBe(true)
  })

  it('begins bars with sections where nothing else says where', () => {
    const beats = beatTimes(140, 30)
    const document = misheard(ROCK, beats, (edges) => edges)
    const [first] = document.sections
    const cut = beats[19]!
    const sections = [
      { ...first!, start: 0, duration: cut },
      { ...first!, start: cut, duration: document.track.duration - cut },
    ]
    const after = correct({ ...document, bars: [], segments: [], sections }, { timeSignature: 3 })
    expect(startsOf(after.bars)).toContain(cut)
  })
})

/** A document of anything: steady, drifting, free, or without beats, tatums, segments. */
function anyDocument(random: Random): AnalysisDocument {
  const samples = whole(random, 1_000, 4_000_000)
  const duration = samples / 22_050
  const tiling = (length: () => number, most: number) => {
    const edges = [0]
    while (edges.length < most && edges.at(-1)! < duration) edges.push(edges.at(-1)! + length())
    return [...edges.filter((edge) => edge < duration - 0.01), duration]
  }
  const pace = 0.25 + random()
  const unevenness = pick(random, [0, 0, 0.02, 0.3])
  const begins = random() * Math.min(5, duration)
  const beatEdges = [begins]
  const most = pick(random, [0, 1, 2, 3, 9, 1_000])
  while (beatEdges.length <= most && beatEdges.at(-1)! < duration)
    beatEdges.push(beatEdges.at(-1)! + pace * (1 + unevenness * (random() - 0.5)))
  const edges = most === 0 ? [] : beatEdges.filter((edge) => edge <= duration)
  const size = whole(random, 3, 8)
  const phase = whole(random, 0, size)
  const parts = whole(random, 1, 5)
  const confident = (list: Interval[]) => list.map((item) => ({ ...item, confidence: random() }))
  const beats = edges.length > 1 ? confident(intervals(edges)) : []
  const tempo = beats.length > 0 ? 60 / pace : pick(random, [0, 93.5])
  const key = () => ({ key: whole(random, 0, 12), mode: whole(random, 0, 2) })
  const rest = {
    ...{ loudness: -12, tempo, tempo_confidence: random(), key_confidence: 0.5 },
    ...{ mode_confidence: 0.5, time_signature: size, time_signature_confidence: 0.5 },
  }
  const soundEdges = tiling(() => 0.05 + 0.6 * random() ** 2, pick(random, [1, 4, 1_000]))
  return {
    meta: {} as AnalysisDocument['meta'],
    track: {
      ...{ ...rest, ...key(), num_samples: samples, duration, sample_md5: '', offset_seconds: 0 },
      ...{ window_seconds: 0, analysis_sample_rate: 22_050, analysis_channels: 1 },
      ...{ end_of_fade_in: 0, start_of_fade_out: duration, synchstring: '', synch_version: 1 },
      ...{ rhythmstring: '', rhythm_version: 1, loudness_range: 3, true_peak: -1 },
      ...{ max_momentary_loudness: -9, max_short_term_loudness: -10 },
    },
    beats,
    bars: confident(
      intervals(
        beats.length === 0 ? [] : edges.filter((_, i) => i >= phase && (i - phase) % size === 0),
      ),
    ),
    tatums: random() < 0.2 ? [] : intervals(beats.length === 0 ? [] : divided(parts)(edges)),
    sections: intervals(tiling(() => 3 + 30 * random(), 20)).map((item, i) => ({
      ...item,
      ...{ ...rest, ...key(), confidence: i === 0 ? 1 : random() },
    })),
    segments:
      random() < 0.1
        ? []
        : intervals(soundEdges).map((item, i) => ({
            ...{
              ...item,
              confidence: random(),
              loudness_start: i === 0 ? -60 : -40 * random() - 10,
            },
            ...{ loudness_max_time: 0, loudness_max: -10 + 5 * random() },
            ...(i === soundEdges.length - 2 && { loudness_end: -60 }),
            ...{ pitches: Array.from({ length: 12 }, (_, p) => (p === i % 12 ? 1 : 0.2)) },
            timbre: Array.from({ length: 12 }, () => 50 * random()),
          })),
  }
}

describe('any document', () => {
  it('with any corrections keeps the rules that it kept', () => {
    const random = seeded(21)
    let changed = 0
    for (let round = 0; round < 400; round++) {
      const document = anyDocument(random)
      const tempo = pick(random, [null, 'double', 'half', 25, 60, 97.3, 150, 240, 480] as const)
      const given = {
        tempo: typeof tempo === 'string' && document.track.tempo === 0 ? 90 : tempo,
        downbeat: random() < 0.5 ? random() * document.track.duration * 0.99 : undefined,
        timeSignature: random() < 0.3 ? whole(random, 3, 8) : null,
        key: random() < 0.3 ? whole(random, 0, 12) : null,
        mode: random() < 0.3 ? whole(random, 0, 2) : null,
        tempoRange: random() < 0.3 ? ([70, 150] as const) : null,
      }
      const copy = structuredClone(document)
      const before = brokenInvariants(document)
      if (document.segments.length === 0) before.push('a segment after each beat')
      let after: AnalysisDocument
      try {
        after = correct(document, given)
      } catch (error) {
        expect((error as Error).message, JSON.stringify(given)).toMatch(/^tempo .*BPM/)
        continue
      }
      expect(document).toEqual(copy)
      const broken = brokenInvariants(after).filter((rule) => !before.includes(rule))
      expect(broken, `round ${round}: ${JSON.stringify(given)}`).toEqual([])
      for (const list of [after.bars, after.beats, after.tatums])
        expect(
          list.every(({ duration }) => duration > 0),
          `round ${round}`,
        ).toBe(true)
      expect(after.segments).toBe(document.segments)
      expect(after.meta).toBe(document.meta)
      if (given.tempo != null) expect(after.track.tempo_confidence).toBe(1)
      if (given.timeSignature != null) expect(after.track.time_signature).toBe(given.timeSignature)
      if (given.key != null) expect(after.track.key).toBe(given.key)
      if (after.beats !== document.beats) changed++
    }
    expect(changed).toBeGreaterThan(130)
  })

  it('without corrections is itself', () => {
    const random = seeded(22)
    for (let round = 0; round < 50; round++) {
      const document = anyDocument(random)
      expect(correct(document, {})).toEqual(document)
      expect(correct(document, { tempo: null, key: undefined })).toEqual(document)
    }
  })
})
