import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pick, whole } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { accompany, drumming, type Harmony } from './material-parts.ts'
import type { Key, Manner, Production, Score } from './material-score.ts'
import { midiNotes } from './midi-notes.ts'
import type { Sound } from './rhythm-band.ts'

/** Channels of its files. */
const MELODY = 0
const BRIDGE = 1
/** Beats of a bar; the few songs in three are left out, as their beats are of two kinds. */
const METRE = 4
/** An excerpt has at least so many beats of regular bars. */
const LEAST = 48
/** Changes of chord that must fall on first beats rather than on third ones, as a ratio. */
const CERTAIN = 1.2
/** Notes that must be near a quarter of a beat: of the songs only a few have less, and wrong beats. */
const ON_GRID = 0.75
const STEPS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }
const QUALITIES: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^(min|minmaj)/, [0, 3, 7]],
  [/^(dim|hdim)/, [0, 3, 6]],
  [/^aug/, [0, 4, 8]],
  [/^sus2/, [0, 2, 7]],
  [/^sus4/, [0, 5, 7]],
  [/^/, [0, 4, 7]],
]

/** A song: its notes in beats, a downbeat at every fourth. */
export interface PopSong {
  name: string
  bpm: number
  /** The first and one past the last beat of a run of regular bars; both are downbeats. */
  from: number
  to: number
  notes: { start: number; duration: number; channel: number; pitch: number; velocity: number }[]
  chords: { start: number; root: number; tones: readonly number[] }[]
  key?: Key
}

/**
 * The songs of a folder of POP909 (Wang et al., ISMIR 2020): `NNN.mid` (melody, bridge, piano, as
 * played), `NNN.beat_midi.txt` (a beat's seconds; whether it begins a bar of two;
 * whether it begins one of four), `NNN.chord_midi.txt`, `NNN.key_audio.txt`.
 *
 * Left out are songs whose two marks contradict each other, those not in four, and those whose
 * chords do not change on the marked downbeats more than on third beats, and those whose notes are
 * not where the beats are.
 */
export function popSongs(folder: string): PopSong[] {
  return readdirSync(folder)
    .filter((name) => /^\d{3}\.mid$/.test(name))
    .sort()
    .flatMap((name) => popSong(folder, name.slice(0, 3)) ?? [])
}

function popSong(folder: string, name: string): PopSong | undefined {
  const lines = (kind: string) =>
    readFileSync(join(folder, `${name}.${kind}.txt`), 'latin1')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
  const marks = lines('beat_midi').map((line) => line.map(Number))
  const seconds = marks.map(([time]) => time!)
  const run = regularRun(marks)
  const file = readFileSync(join(folder, `${name}.mid`))
  const secondsAt = tempoMap(file)
  if (run === undefined) return
  const beatOf = (time: number) => placeIn(seconds, time)
  const chords = lines('chord_midi').flatMap(([from, , chord]) => {
    const parsed = chordOf(chord!)
    return parsed ? [{ start: Math.round(2 * beatOf(Number(from))) / 2, ...parsed }] : []
  })
  const changesAt = (place: number) =>
    chords.filter(({ start }) => (start - run.from) % METRE === place).length
  if (changesAt(0) < CERTAIN * changesAt(2) || changesAt(0) < 8) return
  const notes = midiNotes(file).map((note) => {
    const start = beatOf(secondsAt(note.start))
    const end = beatOf(secondsAt(note.start + note.duration))
    return { ...note, start, duration: end - start }
  })
  const onGrid = ({ start }: { start: number }) =>
    Math.abs(4 * start - Math.round(4 * start)) < 0.15
  if (notes.filter(onGrid).length < ON_GRID * notes.length) return
  const keys = lines('key_audio')
  const key = keys.length === 1 ? keyOf(keys[0]![2]!) : undefined
  const bpm = 60 / ((seconds[run.to - 1]! - seconds[run.from]!) / (run.to - 1 - run.from))
  return { name, bpm, ...run, notes, chords, ...(key && { key }) }
}

/** The longest run of bars of four whose marks agree. */
function regularRun(marks: readonly number[][]): { from: number; to: number } | undefined {
  const downbeats = marks.flatMap(([, , four], b) => (four === 1 ? [b] : []))
  if (downbeats.some((b) => marks[b]![1] !== 1)) return
  let best = { from: 0, to: 0 }
  let from = downbeats[0] ?? 0
  downbeats.forEach((b, i) => {
    const before = downbeats[i - 1]
    if (before !== undefined && b - before !== METRE) from = b
    if (b - from > best.to - best.from) best = { from, to: b }
  })
  return best.to - best.from >= LEAST ? best : undefined
}

/** What tells the seconds of a place in quarter notes, from the tempi in a MIDI file's first track. */
function tempoMap(file: Buffer): (quarters: number) => number {
  const division = file.readUInt16BE(12)
  const end = 22 + file.readUInt32BE(18)
  const turns: { quarters: number; seconds: number; pace: number }[] = []
  let [at, ticks] = [22, 0]
  const variable = () => {
    let value = 0
    for (;;) {
      const byte = file[at++]!
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  while (at < end) {
    ticks += variable()
    // The first track holds nothing but events of kind 0xff.
    if (file[at] !== 0xff) break
    const kind = file[at + 1]
    at += 2
    const size = variable()
    if (kind === 0x51) {
      const quarters = ticks / division
      const before = turns.at(-1) ?? { quarters: 0, seconds: 0, pace: 0.5 }
      const seconds = before.seconds + (quarters - before.quarters) * before.pace
      turns.push({ quarters, seconds, pace: file.readUIntBE(at, 3) / 1e6 })
    }
    at += size
  }
  return (place) => {
    const turn = turns.findLast(({ quarters }) => quarters <= place) ?? turns[0]!
    return turn.seconds + (place - turn.quarters) * turn.pace
  }
}

/** The place of a time among those of beats; beyond them at the pace of their ends. */
function placeIn(beats: readonly number[], time: number): number {
  let [low, high] = [0, beats.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (beats[middle]! <= time) low = middle
    else high = middle - 1
  }
  return low + (time - beats[low]!) / (beats[low + 1]! - beats[low]!)
}

function chordOf(name: string): { root: number; tones: readonly number[] } | undefined {
  const [root, quality = 'maj'] = name.split(':')
  const step = rootOf(root!)
  if (step === undefined) return
  return { root: step, tones: QUALITIES.find(([pattern]) => pattern.test(quality))![1] }
}

function rootOf(name: string): number | undefined {
  const step = STEPS[name[0]!]
  if (step === undefined || !/^[A-G][#b]?$/.test(name)) return
  return (step + (name[1] === '#' ? 1 : name[1] === 'b' ? 11 : 0)) % 12
}

function keyOf(name: string): Key | undefined {
  const [root, mode] = name.split(':')
  const tonic = rootOf(root!)
  return tonic === undefined ? undefined : { tonic, mode: mode?.startsWith('min') ? 0 : 1 }
}

/** How a song is scored anew. */
interface Setting {
  name: string
  weight: number
  production: Production
  manner: readonly Manner[]
  /** Drums at so many times the tempo; none where undefined. */
  drums?: number
  swing?: boolean
  bass?: boolean
  pad?: boolean
  guitars?: boolean
  /** Voices of the melody, and of what the piano played. */
  lead: readonly string[]
  keys: readonly string[]
}

const LEADS = ['piano', 'flute', 'strings', 'clarinet', 'brass', 'guitar', 'bell', 'voice', 'voice']
const SETTINGS: readonly Setting[] = [
  {
    name: 'piano',
    weight: 4,
    production: 'solo',
    manner: ['machine', 'band', 'free', 'free'],
    lead: ['piano'],
    keys: ['piano'],
  },
  {
    name: 'tune with piano',
    weight: 3,
    production: 'solo',
    manner: ['machine', 'band', 'free'],
    lead: LEADS,
    keys: ['piano', 'guitar'],
  },
  {
    name: 'strings',
    weight: 2,
    production: 'solo',
    manner: ['band', 'free'],
    pad: true,
    bass: true,
    lead: LEADS,
    keys: ['guitar', 'bell', 'piano'],
  },
  {
    name: 'band',
    weight: 6,
    production: 'band',
    manner: ['machine', 'band'],
    drums: 1,
    bass: true,
    lead: LEADS,
    keys: ['piano', 'guitar', 'organ'],
  },
  {
    name: 'half time',
    weight: 2,
    production: 'mixed',
    manner: ['machine', 'band'],
    drums: 0.5,
    bass: true,
    pad: true,
    lead: LEADS,
    keys: ['piano', 'guitar'],
  },
  {
    name: 'double time',
    weight: 1,
    production: 'mixed',
    manner: ['machine', 'band'],
    drums: 2,
    bass: true,
    lead: LEADS,
    keys: ['piano', 'guitar', 'organ'],
  },
  {
    name: 'swing',
    weight: 1,
    production: 'band',
    manner: ['machine', 'band'],
    drums: 1,
    swing: true,
    bass: true,
    lead: LEADS,
    keys: ['piano', 'guitar'],
  },
  {
    name: 'rock',
    weight: 4,
    production: 'rock',
    manner: ['machine', 'band'],
    drums: 1,
    bass: true,
    guitars: true,
    lead: ['voice', 'drive', 'guitar'],
    keys: ['guitar', 'piano', 'organ'],
  },
  {
    name: 'synthesised',
    weight: 5,
    production: 'electronic',
    manner: ['machine'],
    drums: 1,
    bass: true,
    pad: true,
    lead: ['lead', 'pluck', 'voice'],
    keys: ['pluck', 'saw', 'piano', 'bell'],
  },
]
/** Songs are played between these BPM, the labels' own tempo where neither is near. */
const SLOWEST = 50
const FASTEST = 190

/** One excerpt of a song, of so many seconds, in a setting by chance. */
export function popScore(song: PopSong, seconds: number, random: Random): Score {
  const setting = pick(
    random,
    SETTINGS.flatMap((one) => Array<Setting>(one.weight).fill(one)),
  )
  const scale = 0.75 + 0.6 * random()
  const scaled = song.bpm * scale
  const bpm = scaled < SLOWEST || scaled > FASTEST ? song.bpm : scaled
  const bars = Math.ceil((1.4 * seconds * bpm) / 60 / METRE) + 2
  const last = Math.floor((song.to - song.from) / METRE) - bars
  const first = song.from + METRE * whole(random, 0, Math.max(1, last))
  const beats = Math.min(bars * METRE, song.to - first)
  const shift = whole(random, -5, 7)
  const warp = setting.swing ? swung : (beat: number) => beat
  const [lead, keys] = [pick(random, setting.lead), pick(random, setting.keys)]
  const other = random() < 0.5 ? keys : pick(random, ['strings', 'guitar', 'bell'])
  const sounds = song.notes.flatMap(({ start, duration, channel, pitch, velocity }): Sound[] => {
    const at = start - first
    if (at < 0 || at >= beats) return []
    const voice = channel === MELODY ? lead : channel === BRIDGE ? other : keys
    const gain = (velocity / 100) ** 1.5 * (channel === MELODY ? 0.11 : 0.08)
    const from = warp(at)
    return [
      { start: from, duration: warp(at + duration) - from, gain, voice, pitch: pitch + shift },
    ]
  })
  const harmony: Harmony = {
    beats,
    beatsPerBar: METRE,
    chordAt: (beat) => {
      const chord = song.chords.findLast(({ start }) => start <= first + beat + 1e-6)
      const { root, tones } = chord ?? { root: 0, tones: [0, 7] }
      return tones.map((tone) => 36 + ((((root + shift) % 12) + 12) % 12) + tone)
    },
  }
  const { drums, bass, pad, guitars, production } = setting
  if (drums !== undefined)
    sounds.push(...drumming(harmony, { pace: drums, bpm, swing: setting.swing ?? false }, random))
  const parts = [
    ...(bass ? (['bass'] as const) : []),
    ...(pad ? (['pad'] as const) : []),
    ...(guitars ? (['riff'] as const) : []),
  ]
  for (const part of parts)
    sounds.push(
      ...accompany(part, harmony, random).map((sound) => ({ ...sound, start: warp(sound.start) })),
    )
  const { key } = song
  return {
    family: 'pop909',
    music: `pop909 ${song.name}`,
    source: 'POP909',
    style: `pop ${setting.name}`,
    bpm,
    beatsPerBar: METRE,
    accepted: [METRE],
    ...(!setting.swing && { division: 2 }),
    sounds,
    beats,
    from: METRE * random(),
    ...(key && { key: { ...key, tonic: (((key.tonic + shift) % 12) + 12) % 12 } }),
    manner: pick(random, setting.manner),
    production,
  }
}

/** Where the halves of a beat become two thirds and one. */
function swung(beat: number): number {
  const whole = Math.floor(beat)
  const part = beat - whole
  return whole + (part < 0.5 ? (part * 4) / 3 : 1 / 3 + (part * 2) / 3)
}
