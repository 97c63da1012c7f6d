import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pick, whole } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { acceptedOf } from './material-composed.ts'
import type { Manner, Score } from './material-score.ts'
import { DRUM_CHANNEL } from './midi-file.ts'
import { midiNotes } from './midi-notes.ts'
import { MAJOR, PROGRESSIONS, tune } from './rhythm-composer.ts'
import { accompany, CHORDS, type GrooveFile, SEVENTHS, soundOf } from './rhythm-grooves.ts'
import type { Style } from './rhythm-styles.ts'

/**
 * A piece over a groove of MMA (the program `mma`): its players on a progression in a key by
 * chance, and often a tune. Undefined where a groove wants more than chords.
 */
export function grooveScore(file: GrooveFile, seconds: number, random: Random): Score | undefined {
  const { name, tempo, beatsPerBar, grooves } = file
  if (grooves.length === 0) return
  const groove = pick(random, grooves)
  const feel = /68|12-?8/.test(name)
    ? 'thirds'
    : /swing|jazz|shuffle|blues/.test(name)
      ? 'swing'
      : 'even'
  const style: Style = { ...file, feel, parts: {} }
  const bpm = tempo[0] + (tempo[1] - tempo[0]) * random()
  const bars = Math.ceil((1.4 * seconds * bpm) / 60 / beatsPerBar) + 3
  const progression = pick(random, PROGRESSIONS)
  const names = random() < 0.5 ? CHORDS : SEVENTHS
  const degreeAt = (bar: number) => progression[bar % progression.length]!
  const lines = Array.from({ length: bars }, (_, bar) => `${bar + 1} ${names[degreeAt(bar)]}`)
  const notes = accompaniment(
    ['RndSeed 1', 'Tempo 120', `Groove ${groove}`, ...lines, ''].join('\n'),
  )
  if (notes === undefined) return
  const manner = random()
  const alone = manner < 0.14
  const shift = whole(random, -5, 7)
  const sounds = notes
    .filter(({ channel, pitch }) =>
      channel === DRUM_CHANNEL ? manner >= 0.32 : manner < 0.92 || pitch >= 45,
    )
    .map((note) => soundOf(note, alone))
  if (random() < 0.6)
    sounds.push(
      ...tune({
        style: { ...style, ...(alone && { piano: true }) },
        bars,
        pitchOf: (degree) => 60 + MAJOR[((degree % 7) + 7) % 7]! + 12 * Math.floor(degree / 7),
        chordAt: (beat) => degreeAt(Math.floor(beat / beatsPerBar + 1e-6)),
        random,
      }),
    )
  const manners: readonly Manner[] = alone
    ? ['machine', 'band', 'free']
    : ['machine', 'band', 'band']
  return {
    family: `groove ${name}`,
    music: `groove ${groove} ${progression.join(' ')}`,
    source: 'MMA',
    style: `groove ${name}`,
    bpm,
    beatsPerBar,
    accepted: acceptedOf(style),
    sounds: sounds.map((sound) => ({ ...sound, pitch: sound.pitch + shift })),
    beats: bars * beatsPerBar,
    from: beatsPerBar * random(),
    ...(progression[0] === 0 && { key: { tonic: (shift + 12) % 12, mode: 1 as const } }),
    manner: pick(random, manners),
    production: alone ? 'solo' : pick(random, ['band', 'band', 'mixed', 'rock', 'electronic']),
  }
}

/** The notes of a song of MMA, or undefined where it cannot play it. */
function accompaniment(song: string): ReturnType<typeof midiNotes> | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'audile-groove-'))
  try {
    const [from, to] = [join(folder, 'song.mma'), join(folder, 'song.mid')]
    writeFileSync(from, song)
    return accompany(from, to) ? midiNotes(readFileSync(to)) : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
