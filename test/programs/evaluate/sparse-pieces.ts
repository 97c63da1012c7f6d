import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pick, type Random, seeded, whole } from '../../support/chance.ts'
import { addTone, song, VOICES } from '../../support/music.ts'
import { type MidiChannel, midiFile } from '../trainers/midi-file.ts'
import { type MidiNote, midiNotes } from '../trainers/midi-notes.ts'

/**
 * Makes music that says little: one instrument, slow, drones, loops that repeat exactly. For the
 * corpus of identification, whose packaged music has little of it.
 *
 *     npx tsx test/programs/evaluate/sparse-pieces.ts --out DIR --midi DIR --soundfont FILE
 *       [--seed N] [--each N]
 *
 * Writes DIR/KIND-N.ogg and DIR/pieces.json, entries of a corpus.json whose paths are relative to
 * DIR. Needs fluidsynth and ffmpeg; the MIDI files are solo piano with its melody.
 */
interface Sources {
  midi: readonly string[]
  soundfont: string
  random: Random
}

type Sound = Omit<MidiNote, 'program'>

const SAMPLE_RATE = 44_100
const SECONDS = 90
/** Programs of General MIDI: pads and other sounds that are held. */
const PADS = [16, 19, 48, 49, 50, 52, 88, 89, 91, 92, 94, 95]
const SOLOISTS = [0, 4, 11, 12, 24, 40, 68, 71, 73, 74, 79, 105]
const PLUCKED = [0, 5, 8, 11, 24, 25, 46, 108]
/** Semitones above the tonic. */
const CHORDS = [
  [0, 7, 12],
  [0, 7, 16],
  [0, 5, 12, 17],
  [0, 3, 7, 14],
  [0, 7, 10],
]
const SCALES = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 2, 3, 7, 8],
]

const KINDS: Readonly<Record<string, (sources: Sources) => Float32Array>> = {
  // Piano as it was played, at six to eight tenths of its speed.
  piano: (from) => ofMidi(from, 0, () => true),
  // The voice part alone: one note at a time, with its rests.
  solo: (from) => ofMidi(from, pick(from.random, SOLOISTS), highestOnly()),
  drone: ({ soundfont, random }) => {
    const tonic = whole(random, 33, 50)
    const notes: Sound[] = []
    for (let start = 0; start < SECONDS; ) {
      const duration = 8 + 14 * random()
      const root = tonic + pick(random, [0, 0, 0, -2, 5, 3])
      for (const step of pick(random, CHORDS))
        notes.push(sound(start, duration + 1, root + step, 70))
      start += duration
    }
    return played(soundfont, pick(random, PADS), notes)
  },
  bells: ({ random }) => {
    const samples = new Float32Array(SECONDS * SAMPLE_RATE)
    const scale = pick(random, SCALES)
    const tonic = whole(random, 48, 66)
    const voice = VOICES[pick(random, ['bell', 'piano', 'guitar', 'flute'])]!
    for (let start = 0.5; start < SECONDS - 4; start += 0.7 + 2.5 * random()) {
      const pitch = tonic + pick(random, scale) + 12 * whole(random, 0, 2)
      addTone(samples, SAMPLE_RATE, { start, duration: 3, pitch, gain: 0.25 }, voice, random)
    }
    return samples
  },
  // Two or four bars that come again sample by sample.
  loop: ({ random }) => {
    const tempo = whole(random, 76, 150)
    const bars = pick(random, [1, 2, 4])
    const plan = {
      seconds: (bars * 4 * 60) / tempo,
      sampleRate: SAMPLE_RATE,
      tempo,
      key: whole(random, 0, 12),
      mode: pick(random, [0, 1] as const),
      drums: random() < 0.7,
      chords: pick(random, ['organ', 'strings', 'piano', 'guitar']),
      lead: pick(random, ['flute', 'clarinet', 'bell', 'piano']),
    }
    const once = song(plan, random).samples
    return Float32Array.from({ length: SECONDS * SAMPLE_RATE }, (_, i) => once[i % once.length]!)
  },
  // Figures of three to eight notes, again and again; the harmony moves every few bars.
  ostinato: ({ soundfont, random }) => {
    const step = 0.15 + 0.2 * random()
    const scale = pick(random, SCALES)
    const tonic = whole(random, 45, 60)
    const figure = Array.from({ length: whole(random, 3, 9) }, () => pick(random, scale))
    const held = whole(random, 4, 12) * figure.length
    const notes: Sound[] = []
    let shift = 0
    for (let i = 0; i * step < SECONDS - 1; i++) {
      if (i % held === 0) shift = pick(random, [0, 0, -3, 5, 2])
      const pitch = tonic + shift + figure[i % figure.length]! + 12 * (i % 2)
      notes.push(sound(i * step, step * 1.5, pitch, i % figure.length === 0 ? 92 : 72))
    }
    return played(soundfont, pick(random, PLUCKED), notes)
  },
}

function sound(start: number, duration: number, pitch: number, velocity: number): Sound {
  return { start, duration, channel: 0, pitch, velocity }
}

/** Some passage of some file, slow, by one instrument. */
function ofMidi(
  { midi, soundfont, random }: Sources,
  program: number,
  keeps: (note: MidiNote, all: readonly MidiNote[]) => boolean,
): Float32Array {
  const all = midiNotes(readFileSync(pick(random, midi))).sort((a, b) => a.start - b.start)
  const beat = 60 / (100 * (0.6 + 0.2 * random()))
  const transposed = whole(random, -3, 4)
  const from = all[0]!.start + 16
  const notes = all
    .filter((note) => note.start >= from && (note.start - from) * beat < SECONDS - 2)
    .filter((note, _, passage) => keeps(note, passage))
    .map(({ start, duration, pitch, velocity }) =>
      sound((start - from) * beat, duration * beat, pitch + transposed, velocity),
    )
  return played(soundfont, program, notes)
}

/** Notes that begin while no higher one sounds. */
function highestOnly() {
  return (note: MidiNote, all: readonly MidiNote[]): boolean =>
    note.pitch >= 55 &&
    !all.some(
      (other) =>
        other.pitch > note.pitch &&
        other.start <= note.start + 0.05 &&
        other.start + other.duration > note.start + 0.05,
    )
}

function played(soundfont: string, program: number, notes: readonly Sound[]): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'audile-sparse-'))
  try {
    const [score, recording] = [join(folder, 'score.mid'), join(folder, 'recording.raw')]
    const channels: MidiChannel[] = [{ channel: 0, program, volume: 110 }]
    writeFileSync(score, midiFile(channels, notes))
    const out = ['-T', 'raw', '-O', 'float', '-r', `${SAMPLE_RATE}`, '-F', recording]
    execFileSync('fluidsynth', ['-niq', '-g', '0.7', ...out, soundfont, score], { stdio: 'ignore' })
    const bytes = readFileSync(recording)
    const stereo = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
    const length = Math.min(stereo.length >> 1, SECONDS * SAMPLE_RATE)
    return Float32Array.from({ length }, (_, i) => (stereo[2 * i]! + stereo[2 * i + 1]!) / 2)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function main(argv: readonly string[]): void {
  const option = (name: string, otherwise?: string): string => {
    const at = argv.indexOf(`--${name}`)
    const value = at < 0 ? otherwise : argv[at + 1]
    if (value === undefined) throw new Error(`--${name} is missing.`)
    return value
  }
  const out = resolve(option('out'))
  const folder = option('midi')
  const seed = Number(option('seed', '1'))
  const each = Number(option('each', '5'))
  const midi = readdirSync(folder)
    .filter((name) => name.endsWith('.mid'))
    // Two seeds that are both even or both odd share files; others have none in common.
    .filter((_, i) => i % 2 === seed % 2)
    .map((name) => join(folder, name))
  mkdirSync(out, { recursive: true })
  const pieces = Object.entries(KINDS).flatMap(([kind, make], k) =>
    Array.from({ length: each }, (_, i) => {
      const random = seeded(10_000 * seed + 100 * k + i)
      const samples = make({ midi, soundfont: option('soundfont'), random })
      const file = `${kind}-${i}.ogg`
      const raw = ['-f', 'f32le', '-ar', `${SAMPLE_RATE}`, '-ac', '1', '-i', '-']
      const args = ['-v', 'error', '-y', ...raw, '-c:a', 'libvorbis', '-q:a', '6', join(out, file)]
      let peak = 0
      for (const value of samples) peak = Math.max(peak, Math.abs(value))
      const input = Buffer.from(samples.map((value) => (0.7 * value) / peak).buffer)
      execFileSync('ffmpeg', args, { input })
      const duration = Math.round((100 * samples.length) / SAMPLE_RATE) / 100
      return { id: `sparse-${seed}--${kind}-${i}`, file, duration, tags: ['sparse'] }
    }),
  )
  writeFileSync(join(out, 'pieces.json'), JSON.stringify(pieces, null, 1))
  console.log(`${pieces.length} pieces in ${out}`)
}

main(process.argv.slice(2))
