import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, type Cue, cues } from '../../src/analysis-entry.ts'
import { type Made, type MadeSection, madeDocument } from '../support/made-documents.ts'

/** Intro, verse, a quiet break, the drop, verse, outro: bars of 2 s, after 3 s of silence. */
const SONG: Made = {
  ...{ lead: 3, tail: 2 },
  sections: [
    { bars: 8, level: -22 },
    { bars: 16, level: -12 },
    { bars: 8, level: -20 },
    { bars: 16, level: -8, chords: [9, 5, 0, 7] },
    { bars: 16, level: -12 },
    { bars: 16, level: -8.5, chords: [9, 5, 0, 7] },
    { bars: 8, level: -22 },
  ],
}
const song = madeDocument(SONG)
const MUSICAL = [
  ...(['musicStart', 'introEnd', 'outroStart', 'loudest'] as const),
  ...(['highlight', 'mixIn', 'mixOut'] as const),
]
const barOf = (cue: Cue | null) => cue?.bar

describe('cues', () => {
  const found = cues(song)

  it('lie where the sound begins and ends, without the silence', () => {
    expect(found.start?.time).toBeCloseTo(3, 1)
    expect(Math.abs(found.end!.time - (3 + 88 * 2))).toBeLessThan(0.1)
  })

  it('find intro, outro, mix-in and mix-out', () => {
    expect(MUSICAL.map((name) => [name, barOf(found[name])])).toEqual([
      ['musicStart', 0],
      ['introEnd', 8],
      ['outroStart', 80],
      ['loudest', 32],
      ['highlight', 32],
      ['mixIn', 0],
      ['mixOut', 80],
    ])
  })

  it('leave the track where nobody sings, if there is such a place', () => {
    const until = (bar: number) => [{ start: 0, duration: song.bars[bar]!.start }]
    expect(barOf(cues(song, until(82)).mixOut)).toBe(84)
    expect(barOf(cues(song, until(80)).mixOut)).toBe(80)
    // All of the outro is sung.
    expect(barOf(cues(song, [{ start: 0, duration: 1_000 }]).mixOut)).toBe(80)
    expect({ ...cues(song, until(82)), mixOut: null }).toEqual({ ...found, mixOut: null })
  })

  it('are on bar lines, with a confidence of 0 to 1', () => {
    for (const cue of [...MUSICAL.map((name) => found[name]), ...found.phrases]) {
      expect(cue?.time).toBe(song.bars[cue?.bar as number]?.start)
      expect(cue?.confidence).toBeGreaterThan(0.3)
      expect(cue?.confidence).toBeLessThanOrEqual(1)
    }
  })

  it('have phrases of 16 bars where a section has a multiple of them, else of 8', () => {
    expect(found.phrases.map(({ bar, bars, duration }) => [bar, bars, duration])).toEqual([
      [0, 8, 16],
      [8, 16, 32],
      [24, 8, 16],
      [32, 16, 32],
      [48, 16, 32],
      [64, 16, 32],
      [80, 8, 16],
    ])
  })

  it('are less sure where bar lines are', () => {
    const bars = song.bars.map((bar) => ({ ...bar, confidence: 0.45 }))
    const unsure = cues({ ...song, bars })
    for (const name of MUSICAL)
      expect(unsure[name]?.confidence).toBeCloseTo(found[name]!.confidence / 2, 9)
  })

  it('change nothing', () => {
    const before = structuredClone(song)
    cues(song)
    expect(song).toEqual(before)
  })
})

describe('the first music', () => {
  const behind = (noise: MadeSection) => madeDocument({ sections: [noise, ...SONG.sections] })

  it('is behind noise as loud as music, and behind sound far below it', () => {
    for (const section of [
      { bars: 4, level: -12, noise: true },
      { bars: 4, level: -45 },
    ]) {
      const { start, musicStart, mixIn } = cues(behind(section))
      expect(start?.time).toBeLessThan(0.1)
      expect(barOf(musicStart)).toBe(4)
      expect(barOf(mixIn)).toBe(4)
    }
  })

  it('is a quiet beginning too', () => {
    expect(barOf(cues(behind({ bars: 4, level: -36 })).musicStart)).toBe(0)
  })

  it('is where clear pitches are, without beats', () => {
    const document = madeDocument({ sections: [{ bars: 4, level: -15 }, ...SONG.sections] })
    // A pad: one long sound without an onset.
    const pad = document.segments.filter(({ start }) => start < document.bars[4]!.start)
    for (const segment of pad) Object.assign(segment, { confidence: 0, loudness_start: -15 })
    expect(barOf(cues(document).musicStart)).toBe(0)
  })

  it('is where drums are, without pitches', () => {
    const document = madeDocument({ sections: [{ bars: 4, level: -15 }, ...SONG.sections] })
    for (const { start, pitches } of document.segments)
      if (start < document.bars[4]!.start) pitches.fill(1)
    expect(barOf(cues(document).musicStart)).toBe(0)
  })

  it('is not the end of a long quiet sound, whatever follows it', () => {
    const document = madeDocument({ sections: [{ bars: 4, level: -50 }, ...SONG.sections] })
    const { bars, segments } = document
    const own = segments.filter(({ start }) => start < bars[4]!.start)
    const long = { ...own[0]!, duration: bars[4]!.start, loudness_start: -50 }
    const next = { ...segments[own.length]!, loudness_start: -12, loudness_max: -12 }
    const others = segments.slice(own.length + 1)
    expect(barOf(cues({ ...document, segments: [long, next, ...others] }).musicStart)).toBe(4)
  })

  it('is two bars of music in a row, not one', () => {
    const document = madeDocument({
      sections: [{ bars: 1, level: -12 }, { bars: 3, level: -40, noise: true }, ...SONG.sections],
    })
    expect(barOf(cues(document).musicStart)).toBe(4)
  })

  it('does not begin in the silence before the first sound', () => {
    const document = madeDocument({ ...SONG, lead: 0 })
    // The first beats are silent: bar 0 begins before the sound.
    for (const segment of document.segments.slice(0, 3))
      Object.assign(segment, { loudness_start: -60, loudness_max: -60 })
    const { start, musicStart } = cues(document)
    expect(start?.time).toBeCloseTo(1.5, 1)
    expect(barOf(musicStart)).toBe(1)
  })
})

describe('a cue that is not known', () => {
  it('is null: all musical ones without bars', () => {
    const { start, end, ...musical } = cues({ ...song, bars: [] })
    expect(start).not.toBeNull()
    expect(end).not.toBeNull()
    expect(new Set(Object.values({ ...musical, phrases: null }))).toEqual(new Set([null]))
    expect(musical.phrases).toEqual([])
  })

  it('is null: all of silence', () => {
    const silent = madeDocument({ sections: [{ bars: 20, level: -60, noise: true }] })
    const { phrases, ...others } = cues(silent)
    expect(new Set(Object.values(others))).toEqual(new Set([null]))
    expect(phrases).toEqual([])
  })

  it('is null: intro, outro, loudest and phrases of music that stays the same', () => {
    const even = madeDocument({ sections: [{ bars: 48, level: -12 }] })
    const { introEnd, outroStart, loudest, mixOut, phrases, musicStart } = cues(even)
    expect([introEnd, outroStart, loudest, mixOut]).toEqual([null, null, null, null])
    expect(phrases).toEqual([])
    expect(barOf(musicStart)).toBe(0)
  })

  const changed = (changes: Record<number, Partial<MadeSection>>) =>
    cues(
      madeDocument({
        ...SONG,
        sections: SONG.sections.map((one, i) => ({ ...one, ...changes[i] })),
      }),
    )

  it('is null: the end of an intro that is nearly as loud as what follows', () => {
    expect(changed({ 0: { level: -14 } }).introEnd).toBeNull()
    expect(barOf(changed({ 0: { level: -16 } }).introEnd)).toBe(8)
  })

  it('is null: the end of an intro that leads to a quiet part, or takes half of the track', () => {
    expect(changed({ 0: { level: -26 }, 1: { level: -19 } })).toMatchObject({
      ...{ musicStart: { bar: 0 }, introEnd: null },
    })
    expect(changed({ 0: { bars: 60 } }).introEnd).toBeNull()
  })

  it('is null: an intro or an outro with a loud part in it', () => {
    const [intro, ...others] = SONG.sections
    const loud = { bars: 4, level: -9 }
    const sections = [loud, intro!, ...others, loud]
    const found = cues(madeDocument({ ...SONG, sections }))
    expect([found.introEnd, found.outroStart]).toEqual([null, null])
  })

  it('of two steps into the loud part, the intro ends with the first that reaches its level', () => {
    const steps = [-22, -10.5, -7.2, -7.2, -7.2, -7.2, -7.2, -10.5, -22]
    const sections = steps.map((level) => ({ bars: 8, level }))
    const { introEnd, outroStart } = cues(madeDocument({ sections }))
    expect([introEnd, outroStart].map(barOf)).toEqual([8, 64])
  })

  it('is not the fall within a quiet end, but the one into it', () => {
    expect(barOf(changed({ 5: { level: -19 }, 6: { level: -26 } }).outroStart)).toBe(64)
  })

  it('is null: the mix-out where only parts shorter than a phrase follow', () => {
    const parts = [-10, -11, -10, -11].map((level) => ({ bars: 7, level }))
    const sections = [{ bars: 16, level: -10 }, { bars: 16, level: -11 }, ...parts]
    expect(cues(madeDocument({ sections })).mixOut).toBeNull()
    expect(barOf(cues(madeDocument({ sections: sections.slice(0, 3) })).mixOut)).toBe(16)
  })

  it('is null: an outro that is not quieter, unless the track fades out', () => {
    const loud = { ...SONG, sections: SONG.sections.map((one) => ({ ...one, level: -10 })) }
    expect(cues(madeDocument(loud)).outroStart).toBeNull()
    const { duration } = song.track
    const track = { start_of_fade_out: duration - 10 }
    expect(cues(madeDocument({ ...loud, track })).outroStart?.bar).toBe(84)
  })

  it('is null: the highlight of a track that is shorter', () => {
    const short = madeDocument({
      sections: [
        { bars: 8, level: -20 },
        { bars: 4, level: -10 },
      ],
    })
    expect(cues(short).highlight).toBeNull()
  })
})

describe('details', () => {
  it('the drop is after the greatest rise among equally loud sections', () => {
    const levels = [-12, -8, -8.5, -20, -8.4, -12]
    const document = madeDocument({ sections: levels.map((level) => ({ bars: 8, level })) })
    expect(barOf(cues(document).loudest)).toBe(32)
  })

  it('two loud bars are no loudest section', () => {
    const sections = [
      ...SONG.sections.slice(0, 2),
      { bars: 2, level: -3 },
      ...SONG.sections.slice(2),
    ]
    expect(barOf(cues(madeDocument({ ...SONG, sections })).loudest)).toBe(34)
  })

  it('the highlight is what comes again, though another part is a little louder', () => {
    const document = madeDocument({
      sections: [
        { bars: 16, level: -12, chords: [0, 1, 2, 3, 8, 6, 11, 10, 9] },
        { bars: 16, level: -12, chords: [9, 5, 0, 7] },
        { bars: 16, level: -11, chords: [1, 8, 3, 10, 2, 6, 4] },
        { bars: 16, level: -12, chords: [9, 5, 0, 7] },
      ],
    })
    expect([16, 48]).toContain(cues(document).highlight?.bar)
  })

  it('the mix-in is whole phrases before the end of the intro', () => {
    const sections = [{ bars: 11, level: -22 }, ...SONG.sections.slice(1)]
    const { mixIn, introEnd, musicStart } = cues(madeDocument({ ...SONG, sections }))
    expect([musicStart, mixIn, introEnd].map(barOf)).toEqual([0, 3, 11])
  })

  it('without an outro the mix-out is a phrase that leaves 8 to 24 bars', () => {
    const sections = SONG.sections.map((one) => ({ ...one, level: -10 }))
    const { mixOut } = cues(madeDocument({ ...SONG, sections }))
    expect(barOf(mixOut)).toBe(80)
    const long = cues(madeDocument({ ...SONG, sections: [...sections, { bars: 4, level: -10 }] }))
    expect(barOf(long.mixOut)).toBe(80)
    // Bars that were counted on into the silence are none to mix in.
    const silence = { bars: 8, level: -60, noise: true }
    const quiet = cues(madeDocument({ ...SONG, sections: [...sections, silence] }))
    expect(barOf(quiet.mixOut)).toBe(80)
  })

  it('an outro of two bars is left to sound: the mix-out is a phrase before it', () => {
    const sections = [...SONG.sections.slice(0, -1), { bars: 2, level: -22 }]
    const { outroStart, mixOut } = cues(madeDocument({ ...SONG, sections }))
    expect([outroStart, mixOut].map(barOf)).toEqual([80, 64])
  })

  it('sound far below the loudest moment is silence', () => {
    const sections = [{ bars: 4, level: -57, noise: true }, ...SONG.sections]
    expect(cues(madeDocument({ sections })).start?.time).toBeCloseTo(8, 1)
  })

  it('a section that begins off a bar line counts from the nearest, and is less sure', () => {
    const moved = structuredClone(song)
    moved.sections[1]!.start += 0.6
    const [exact, off] = [cues(song).introEnd!, cues(moved).introEnd!]
    expect(off.time).toBe(exact.time)
    expect(off.confidence).toBeLessThan(0.8 * exact.confidence)
  })

  it('bars that are no multiple of 8 are no phrase, and make the others less sure', () => {
    const sections = SONG.sections.map((one, i) => (i === 1 ? { ...one, bars: 19 } : one))
    const { phrases } = cues(madeDocument({ ...SONG, sections }))
    expect(phrases.slice(0, 4).map(({ bar, bars }) => [bar, bars])).toEqual([
      [0, 8],
      [8, 8],
      [16, 8],
      [27, 8],
    ])
    expect(phrases[1]!.confidence).toBeLessThan(cues(song).phrases[1]!.confidence)
  })

  it('the first phrases are counted back from the first boundary', () => {
    const sections = [{ bars: 11, level: -22 }, ...SONG.sections.slice(1)]
    expect(cues(madeDocument({ ...SONG, sections })).phrases[0]).toMatchObject({ bar: 3, bars: 8 })
  })

  it('a document without a part is refused by name', () => {
    for (const part of ['track', 'bars', 'beats', 'sections', 'segments'] as const)
      expect(() => cues({ ...song, [part]: undefined } as unknown as AnalysisDocument)).toThrow(
        part,
      )
  })
})
