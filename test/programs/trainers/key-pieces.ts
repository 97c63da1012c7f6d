import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { windowOf } from '../../../src/analysis/meyda.ts'
import { PEAKS, PeakFront, type Peaks } from '../../../src/analysis/peaks.ts'
import { ANALYSIS_RATE } from '../../../src/analysis/spectra.ts'
import { Resampler } from '../../../src/audio/resample.ts'
import { SpectrumStream } from '../../../src/audio/spectra/spectrum-stream.ts'
import { pick, type Random, seeded, seedOf, whole } from '../../support/chance.ts'
import {
  type Composition,
  chordName,
  composeInKey,
  harmony,
  type Mode,
  modulation,
} from './key-composer.ts'
import { DRUM_CHANNEL, type MidiChannel, midiFile } from './midi-file.ts'
import { type MidiNote, midiNotes } from './midi-notes.ts'
import { accompany, grooveFiles } from './rhythm-grooves.ts'
import { soundfontsIn } from './soundfont-band.ts'

/** Programs of General MIDI for chords, a bass, a melody; what plays none of these plays chords. */
const CHORDAL = [0, 0, 1, 4, 5, 6, 11, 16, 18, 19, 24, 25, 26, 27, 29, 30, 46, 48, 50, 61, 81, 88]
const BASSES = [32, 33, 33, 34, 35, 38, 39, 43]
const LEADS = [0, 11, 22, 24, 40, 52, 53, 56, 65, 68, 71, 73, 73, 80, 81]
/** Seconds of a beat where nothing else is said, at 120 BPM. */
const BEAT = 0.5
const SET_TEMPO = Buffer.from([0xff, 0x51, 3])
const PITCH_CLASSES = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** Music whose key is known, as the analysis hears it. */
export interface KeyPiece {
  /** Pieces of one family were written in one way. */
  family: string
  key: number
  mode: Mode
  peaks: Peaks
}

/** A piece that can be made; its id is its seed. */
export interface PlannedKeyPiece {
  id: string
  family: string
  compose(random: Random): Composition | undefined
}

/** Songs composed in code. */
export function composedSongs(count: number): PlannedKeyPiece[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `composed ${i}`,
    family: 'composed',
    compose: composeInKey,
  }))
}

/** Songs over MMA's grooves, in every key and with chords of every kind. The program `mma` is run. */
export function grooveSongs(library: string, count: number): PlannedKeyPiece[] {
  const files = grooveFiles(library).filter(({ grooves }) => grooves.length > 0)
  return Array.from({ length: count }, (_, i) => {
    const { name, grooves, beatsPerBar } = files[i % files.length]!
    return {
      id: `groove ${name} ${i}`,
      family: 'grooves',
      compose: (random) => {
        const folder = mkdtempSync(join(tmpdir(), 'audile-keys-'))
        try {
          return grooveSong(folder, pick(random, grooves), beatsPerBar, random)
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      },
    }
  })
}

function grooveSong(
  folder: string,
  groove: string,
  beatsPerBar: number,
  random: Random,
): Composition | undefined {
  const key = whole(random, 0, 12)
  const mode: Mode = random() < 0.5 ? 0 : 1
  const bars = Math.round(whole(random, 24, 80) / beatsPerBar)
  const chords = harmony(mode, bars, random)
  const lines = modulation(bars, random).map(
    (shift, bar) => `${bar + 1} ${chordName(chords[bar]!, key + shift + 12)}`,
  )
  const [from, to] = [join(folder, 'song.mma'), join(folder, 'song.mid')]
  writeFileSync(from, ['RndSeed 1', 'Tempo 120', `Groove ${groove}`, ...lines, ''].join('\n'))
  if (!accompany(from, to)) return
  const notes = inSeconds(midiNotes(readFileSync(to)), BEAT)
  const drums = random() < 0.7
  return {
    key,
    mode,
    seconds: bars * beatsPerBar * BEAT,
    notes: notes.filter(({ channel }) => drums || channel !== DRUM_CHANNEL),
  }
}

/**
 * Excerpts of the songs of a folder: of each `NAME.mid` whose `NAME.key_audio.txt` names one key, as
 * `from to Bb:min`; songs of several keys are left out.
 */
export function labelledSongs(folder: string, family: string): PlannedKeyPiece[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mid'))
    .sort()
    .flatMap((name) => {
      const id = `${family} ${basename(name, '.mid')}`
      const path = join(folder, basename(name, '.mid'))
      const labels = readFileSync(`${path}.key_audio.txt`, 'utf8').trim().split('\n')
      const label = labels.length === 1 ? labels[0]!.split('\t')[2]! : undefined
      if (label === undefined) return []
      return {
        id,
        family,
        compose: (random: Random) => excerpt(`${path}.mid`, label, random),
      }
    })
}

function excerpt(path: string, label: string, random: Random): Composition {
  const file = readFileSync(path)
  const all = inSeconds(midiNotes(file), firstBeat(file))
  const end = all.reduce((latest, { start, duration }) => Math.max(latest, start + duration), 0)
  const length = Math.min(end, 14 + 40 * random())
  const from = random() < 0.2 ? 0 : (end - length) * random()
  const [root, quality] = label.split(':') as [string, string]
  const shift = whole(random, -5, 7)
  const notes = all
    .filter(({ start }) => start >= from && start < from + length)
    .map((note) => ({ ...note, start: note.start - from, pitch: note.pitch + shift }))
  return {
    key: (pitchClass(root) + shift + 12) % 12,
    mode: quality.startsWith('maj') ? 1 : 0,
    seconds: length,
    notes,
  }
}

/** Seconds of a beat at the first tempo of a MIDI file. */
function firstBeat(file: Buffer): number {
  const at = file.indexOf(SET_TEMPO)
  return at < 0 ? BEAT : file.readUIntBE(at + SET_TEMPO.length, 3) / 1e6
}

function pitchClass(name: string): number {
  const natural = PITCH_CLASSES[name[0] as keyof typeof PITCH_CLASSES]
  return (natural + (name.split('#').length - 1) - (name.split('b').length - 1) + 12) % 12
}

function inSeconds(notes: readonly MidiNote[], beat: number): Composition['notes'] {
  return notes.map(({ start, duration, ...rest }) => ({
    ...rest,
    start: start * beat,
    duration: duration * beat,
  }))
}

/**
 * Has fluidsynth play a piece on instruments by chance, with a soundfont by chance: out of tune, with
 * noise, heavy in bass or in drums, as recordings are. The same id gives the same piece.
 *
 * @param soundfonts - a folder of .sf2 files
 */
export function makeKeyPiece(planned: PlannedKeyPiece, soundfonts: string): KeyPiece | undefined {
  const { id, family } = planned
  const random = seeded(seedOf(id))
  const composition = planned.compose(random)
  if (composition === undefined || composition.notes.length < 8) return
  const { key, mode } = composition
  return { family, key, mode, peaks: peaksOf(played(composition, soundfonts, random)) }
}

function played({ notes, seconds }: Composition, soundfonts: string, random: Random): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'audile-keys-'))
  try {
    const [score, recording] = [join(folder, 'score.mid'), join(folder, 'recording.raw')]
    writeFileSync(score, midiFile(channelsOf(notes, random), notes))
    const cents = random() < 0.5 ? 0 : 80 * random() - 40
    // What is played at one rate and heard at another is out of tune.
    const rate = ANALYSIS_RATE * 2 ** (-cents / 1_200)
    const hall = random() < 0.5 ? ['-R', '1'] : ['-R', '0']
    const out = ['-T', 'raw', '-O', 'float', '-r', `${rate}`, '-F', recording]
    const font = pick(random, soundfontsIn(soundfonts))
    execFileSync('fluidsynth', ['-niq', '-g', '0.4', ...hall, '-C', '0', ...out, font, score], {
      stdio: 'ignore',
    })
    const raw = readFileSync(recording)
    const stereo = new Float32Array(raw.buffer, raw.byteOffset, raw.length >> 2)
    return mastered(stereo, Math.round(seconds * ANALYSIS_RATE), random)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Instruments that suit the height of what they play; some bands are all drums, or all bass. */
function channelsOf(notes: Composition['notes'], random: Random): MidiChannel[] {
  const volume = () => whole(random, 60, 121)
  const manner = random()
  const [drums, bass] = [manner < 0.15 ? 127 : volume(), manner > 0.85 ? 127 : volume()]
  const others = manner < 0.15 || manner > 0.85 ? 0.6 : 1
  const heights = new Map<number, number[]>()
  for (const { channel, pitch } of notes)
    heights.set(channel, [...(heights.get(channel) ?? []).slice(-63), pitch])
  return [...heights].map(([channel, pitches]) => {
    if (channel === DRUM_CHANNEL)
      return { channel, program: pick(random, [0, 8, 16, 25]), volume: drums }
    const height = pitches.reduce((sum, pitch) => sum + pitch, 0) / pitches.length
    if (height < 46) return { channel, program: pick(random, BASSES), volume: bass }
    const program = pick(random, height > 69 ? LEADS : CHORDAL)
    return { channel, program, volume: Math.round(others * volume()) }
  })
}

/** One channel, with a tilt of its spectrum, saturation and noise. */
function mastered(stereo: Float32Array, length: number, random: Random): Float32Array {
  const out = new Float32Array(Math.min(length, stereo.length >> 1))
  let peak = 1e-9
  for (let i = 0; i < out.length; i++) {
    out[i] = stereo[2 * i]! + stereo[2 * i + 1]!
    peak = Math.max(peak, Math.abs(out[i]!))
  }
  const drive = pick(random, [0.5, 0.5, 1.5, 4]) / peak
  const lows = pick(random, [0, 0, 0, 3, -0.8])
  const noise = random() < 0.3 ? 10 ** (-1 - 2 * random()) : 0
  let low = 0
  for (let i = 0; i < out.length; i++) {
    // One pole at about 120 Hz.
    low += 0.034 * (out[i]! - low)
    out[i] = Math.tanh(drive * (out[i]! + lows * low)) + noise * (random() - 0.5)
  }
  return out
}

/** The peaks that the front end of the analysis finds in samples at its rate. */
function peaksOf(samples: Float32Array): Peaks {
  const front = new PeakFront()
  const stream = new SpectrumStream(windowOf('blackman', PEAKS.size), PEAKS.hop, (magnitudes) =>
    front.push(magnitudes),
  )
  const [halver, quarterer] = [new Resampler(2, 1), new Resampler(2, 1)]
  stream.push(quarterer.push(halver.push(samples)))
  stream.push(quarterer.push(halver.flush()))
  stream.push(quarterer.flush())
  stream.finish()
  return front.finish()
}
