import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { DRUM_CHANNEL, type MidiChannel, midiFile } from './midi-file.ts'
import { type Ensemble, SAMPLE_RATE, type Sound } from './rhythm-band.ts'

/** Programs of General MIDI that may play what is written for a voice. */
const PROGRAMS: Readonly<Record<string, readonly number[]>> = {
  piano: [0, 0, 0, 1, 2, 3, 4, 5, 6],
  bell: [8, 9, 11, 12, 13, 14, 108],
  organ: [16, 17, 18, 19, 20, 21, 23],
  guitar: [24, 24, 25, 25, 26, 27, 28, 29, 105, 46],
  bass: [32, 33, 34, 35, 36, 38, 39, 43],
  strings: [40, 41, 42, 48, 49, 50, 51, 52, 89],
  brass: [56, 57, 60, 61, 62, 65, 66],
  clarinet: [64, 67, 68, 69, 70, 71, 22],
  flute: [72, 73, 74, 75, 79, 80, 81, 82],
  fiddle: [40, 40, 110],
  whistle: [72, 74, 78, 79],
  accordion: [21, 21, 22, 23],
  pipes: [109],
  plucked: [15, 24, 25, 46, 105, 106, 107],
  harp: [46],
  grand: [0, 0, 0, 1, 3],
  harpsichord: [6],
  church: [19, 19, 20, 16],
  violin: [40],
  viola: [41],
  cello: [42],
  ensemble: [48, 48, 49],
  choir: [52, 53, 54],
  cornet: [56, 56, 59, 60],
  horns: [57, 60, 61],
  tuba: [58],
  reed: [68, 69, 70, 71],
}
/** Kits of General MIDI and its extensions; a soundfont that lacks one plays its standard kit. */
const KITS = [0, 0, 0, 8, 16, 24, 25, 32, 40]
/** Keys of General MIDI's drums, one of which a piece takes for a stroke. */
const STROKES: Readonly<Record<string, readonly number[]>> = {
  kick: [36, 35],
  snare: [38, 40],
  hat: [42, 42, 44, 82],
  ride: [51, 59],
  crash: [49, 57],
  rim: [37, 75, 76],
  conga: [63, 62, 60],
  lowConga: [64, 61],
  clap: [39],
  openhat: [46],
  tom: [45, 47, 50],
  shaker: [70, 82],
  cowbell: [56],
}
/** Sounds that began so much before the recording are not heard as beginning with it. */
const LATE = -0.02

/**
 * Plays sounds by fluidsynth with soundfonts of the machine: many instruments of each kind, where
 * `Band` knows one. Each piece has a soundfont, instruments and a mix of its own. Nothing of a
 * soundfont is kept.
 */
export class SoundfontBand implements Ensemble {
  readonly #fonts: string[]

  /** @param folder - where the soundfonts are (`.sf2`, `.sf3`) */
  constructor(folder: string) {
    this.#fonts = soundfontsIn(folder)
  }

  play(sounds: readonly Sound[], seconds: number, random: Random): Float32Array {
    const heard = sounds.filter(({ start }) => start >= LATE && start < seconds)
    const score = scoreOf(heard, random)
    return playedBy(this.#fonts, score, Math.round(seconds * SAMPLE_RATE), random)
  }
}

/** A standard MIDI file as one channel of so many samples, its peak at 0.9, by one of the soundfonts. */
export function playedBy(
  fonts: readonly string[],
  score: Buffer,
  length: number,
  random: Random,
): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'audile-soundfont-'))
  try {
    const [file, recording] = [join(folder, 'score.mid'), join(folder, 'recording.raw')]
    writeFileSync(file, score)
    const hall =
      random() < 0.7 ? ['-R', '1', '-o', `synth.reverb.level=${0.9 * random()}`] : ['-R', '0']
    const chorus = ['-C', random() < 0.3 ? '1' : '0']
    // Only what a piece plays is unpacked: a compressed soundfont takes seconds as a whole.
    const lazy = ['-o', 'synth.dynamic-sample-loading=1']
    const out = ['-T', 'raw', '-O', 'float', '-r', `${SAMPLE_RATE}`, '-F', recording]
    const font = pick(random, fonts)
    execFileSync(
      'fluidsynth',
      ['-niq', '-g', '0.5', ...hall, ...chorus, ...lazy, ...out, font, file],
      { stdio: 'ignore' },
    )
    return monoOf(readFileSync(recording), length)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scoreOf(sounds: readonly Sound[], random: Random): Buffer {
  const loudest = new Map<string, number>()
  for (const { voice, gain } of sounds) loudest.set(voice, Math.max(gain, loudest.get(voice) ?? 0))
  const volume = () => Math.round(70 + 50 * random())
  const channels: MidiChannel[] = [
    { channel: DRUM_CHANNEL, program: pick(random, KITS), volume: volume() },
  ]
  const places = new Map<string, number>()
  const keys = new Map<string, number>()
  for (const voice of loudest.keys()) {
    const strokes = STROKES[voice]
    if (strokes) keys.set(voice, pick(random, strokes))
    else {
      const program = pick(random, PROGRAMS[voice] ?? [0])
      places.set(voice, places.size)
      channels.push({ channel: places.get(voice)!, program, volume: volume() })
    }
  }
  // The loudest note of a voice is struck as hard in all voices; what is soft beside it, softer.
  const touch = 95 + 20 * random()
  const notes = sounds.map(({ start, duration, gain, voice, pitch }) => {
    const key = keys.get(voice)
    const share = Math.sqrt(gain / (loudest.get(voice) || 1))
    return {
      start: Math.max(0, start),
      duration: key === undefined ? duration : Math.min(duration, 0.2),
      channel: places.get(voice) ?? DRUM_CHANNEL,
      pitch: key ?? Math.max(0, Math.min(127, pitch)),
      velocity: Math.max(1, Math.min(127, Math.round(touch * share))),
    }
  })
  return midiFile(channels, notes)
}

/** Interleaved pairs of floats as one channel of so many samples, its peak at 0.9. */
function monoOf(raw: Buffer, length: number): Float32Array {
  const out = new Float32Array(length)
  let peak = 0
  for (let i = 0; i < length && 8 * i + 8 <= raw.length; i++) {
    out[i] = (raw.readFloatLE(8 * i) + raw.readFloatLE(8 * i + 4)) / 2
    peak = Math.max(peak, Math.abs(out[i]!))
  }
  if (peak > 0) for (let i = 0; i < length; i++) out[i] = (0.9 * out[i]!) / peak
  return out
}

/** The soundfonts (`.sf2`, `.sf3`) of a folder, at least one. */
export function soundfontsIn(folder: string): string[] {
  const fonts = readdirSync(folder, { recursive: true, withFileTypes: true })
    // Links to a default are the same sounds again.
    .filter((entry) => entry.isFile() && /\.sf[23]$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  if (fonts.length === 0) throw new Error(`There are no soundfonts in ${folder}.`)
  return fonts
}
