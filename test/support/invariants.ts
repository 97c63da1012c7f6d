import type { AnalysisDocument } from '../../src/analysis/document.ts'

const near = (a: number, b: number, by: number) => Math.abs(a - b) <= by

/**
 * The rules of the published document that this one breaks, each in a word or two; an empty list
 * when it keeps them all.
 */
export function brokenInvariants(document: AnalysisDocument): string[] {
  const { track, bars, beats, tatums, sections, segments } = document
  const broken = new Set<string>()
  const hold = (rule: string, holds: boolean) => {
    if (!holds) broken.add(rule)
  }
  const duration = track.num_samples / 22_050
  hold('duration = num_samples / 22,050', near(track.duration, duration, 5e-6))
  for (const [name, list] of Object.entries({ sections, segments })) {
    hold(`${name} start at 0`, list[0]?.start === 0)
    list.forEach(({ start, duration }, i) => {
      hold(`${name} tile`, near(start + duration, list[i + 1]?.start ?? track.duration, 1e-5))
      hold(`${name} last longer than nothing`, duration > 0)
    })
  }
  for (const [name, list] of Object.entries({ bars, beats, tatums })) {
    list.slice(1).forEach(({ start }, i) => {
      const before = list[i] as { start: number; duration: number }
      hold(`${name} without gap`, near(before.start + before.duration, start, 1e-4))
    })
    for (const { start, duration } of list) {
      hold(`${name} inside the track`, start >= 0 && start + duration <= track.duration + 1e-4)
    }
  }
  const beatStarts = new Set(beats.map(({ start }) => start))
  const tatumStarts = new Set(tatums.map(({ start }) => start))
  for (const { start } of bars) hold('bars begin on beats', beatStarts.has(start))
  for (const { start } of beats) hold('beats begin on tatums', tatumStarts.has(start))
  const { time_signature: size } = track
  hold('3 to 7 beats in a bar', [3, 4, 5, 6, 7].includes(size))
  for (const { start, duration } of bars) {
    const end = start + duration - 1e-4
    const inside = beats.filter((beat) => beat.start >= start && beat.start < end)
    hold('time_signature beats in every bar', inside.length === size)
  }
  for (const [long, short] of [
    [bars, beats],
    [beats, tatums],
  ] as const) {
    const ends = short.map(({ start, duration }) => start + duration)
    for (const { start, duration } of long) {
      hold(
        'bars end with beats, beats with tatums',
        ends.some((end) => near(end, start + duration, 1e-4)),
      )
    }
  }
  const lastSegment = segments.at(-1)?.start ?? 0
  for (const { start, duration } of beats) {
    const end = start + duration
    hold('a segment after each beat', end <= lastSegment + 1e-4 || track.duration - end < 0.161)
  }
  hold('first section sure', sections[0]?.confidence === 1)
  segments.forEach((segment, i) => {
    hold('pitches have maximum 1', Math.max(...segment.pitches) === 1)
    hold('pitches above 0', Math.min(...segment.pitches) > 0)
    hold('12 pitches and timbres', segment.pitches.length === 12 && segment.timbre.length === 12)
    hold('loudest not below onset', segment.loudness_max >= segment.loudness_start)
    hold('floor of -60 dB', segment.loudness_start >= -60)
    const at = segment.loudness_max_time
    hold('loudest inside the segment', at >= 0 && at <= segment.duration)
    hold('loudness_end on the last only', 'loudness_end' in segment === (i === segments.length - 1))
  })
  hold('first onset at -60 dB', segments[0]?.loudness_start === -60)
  checkNumbers(document, '', hold)
  return [...broken]
}

function checkNumbers(value: unknown, name: string, hold: (rule: string, holds: boolean) => void) {
  if (typeof value === 'number') {
    hold('finite numbers', Number.isFinite(value))
    if (name.endsWith('confidence')) hold('confidences 0 to 1', value >= 0 && value <= 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) checkNumbers(member, key, hold)
  }
}
