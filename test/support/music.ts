/**
 * Music made in code, for tests and for training: seeded, so that it is the same everywhere.
 */

/** A generator of pseudo-random numbers in [0, 1) (mulberry32). */
export type Random = () => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** How a tone sounds. */
export interface Voice {
  /** Strength of overtone n (from 1) is n^-rolloff; even ones times `even`. */
  rolloff: number
  even: number
  overtones: number
  /** Seconds to full strength, and until strength falls by 60 dB (high overtones faster). */
  attack: number
  decay: number
  /** Vibrato depth in semitones. */
  vibrato: number
  /** Noise that sounds along, 0…1. */
  breath: number
}

export const VOICES: Readonly<Record<string, Voice>> = {
  piano: { rolloff: 1.3, even: 1, overtones: 12, attack: 0.004, decay: 1.6, vibrato: 0, breath: 0 },
  organ: { rolloff: 0.8, even: 0.6, overtones: 10, attack: 0.02, decay: 60, vibrato: 0, breath: 0 },
  strings: {
    rolloff: 1,
    even: 1,
    overtones: 20,
    attack: 0.12,
    decay: 12,
    vibrato: 0.15,
    breath: 0.02,
  },
  flute: {
    rolloff: 2.2,
    even: 0.5,
    overtones: 5,
    attack: 0.06,
    decay: 15,
    vibrato: 0.1,
    breath: 0.08,
  },
  clarinet: {
    rolloff: 1.1,
    even: 0.1,
    overtones: 14,
    attack: 0.03,
    decay: 20,
    vibrato: 0,
    breath: 0.02,
  },
  brass: {
    rolloff: 0.7,
    even: 1,
    overtones: 24,
    attack: 0.05,
    decay: 10,
    vibrato: 0,
    breath: 0.01,
  },
  guitar: { rolloff: 1, even: 1, overtones: 18, attack: 0.002, decay: 0.9, vibrato: 0, breath: 0 },
  bass: { rolloff: 1.4, even: 1, overtones: 8, attack: 0.006, decay: 1.2, vibrato: 0, breath: 0 },
  bell: { rolloff: 0.5, even: 0.3, overtones: 9, attack: 0.001, decay: 2.5, vibrato: 0, breath: 0 },
}

/** Samples of a tone that are made together: what is known of them fits into the nearest cache. */
const BLOCK = 512
const blockOf = () => new Float64Array(BLOCK)
/** At each sample of a block: the sum of the overtones; the first one and another on the circle. */
const [sum, x1, y1, xn, yn] = [blockOf(), blockOf(), blockOf(), blockOf(), blockOf()] as const

/** A point that turns on a circle, which may become smaller: where it is, and the turn of a sample. */
interface Turning {
  x: number
  y: number
  turnX: number
  turnY: number
}

const turning = (size: number, angle: number, turn: number, fall = 1): Turning => ({
  x: size * Math.cos(angle),
  y: size * Math.sin(angle),
  turnX: fall * Math.cos(turn),
  turnY: fall * Math.sin(turn),
})

/** Adds a tone of a MIDI pitch to `out`. */
export function addTone(
  out: Float32Array,
  sampleRate: number,
  at: { start: number; duration: number; pitch: number; gain: number },
  voice: Voice,
  random: Random = seeded(1),
): void {
  const from = Math.round(at.start * sampleRate)
  const release = 0.05
  const to = Math.min(out.length, Math.round((at.start + at.duration + release) * sampleRate))
  const frequency = 440 * 2 ** ((at.pitch - 69) / 12)
  const first = Math.max(0, from)
  const angle = (2 * Math.PI * frequency) / sampleRate
  const overtones: { turning: Turning; loud: number; fall: number; phase: number }[] = []
  for (let n = 1; n <= voice.overtones && n * frequency < 0.45 * sampleRate; n++) {
    const strength = at.gain * n ** -voice.rolloff * (n % 2 === 0 ? voice.even : 1)
    const fall = Math.exp(-6.9 / (voice.decay / Math.sqrt(n)) / sampleRate)
    const phase = random() * 2 * Math.PI
    const loud = strength * fall ** (first - from)
    overtones.push({
      turning: turning(loud, n * angle + phase, n * angle, fall),
      loud,
      fall,
      phase,
    })
  }
  const fundamental = turning(1, 0, angle)
  const wobbling = turning(
    1,
    (11 * Math.PI * (first - from)) / sampleRate,
    (11 * Math.PI) / sampleRate,
  )
  const depth = angle * voice.vibrato * 0.058
  for (let begin = first; begin < to; begin += BLOCK) {
    const length = Math.min(BLOCK, to - begin)
    sum.fill(0)
    if (voice.vibrato === 0) for (const { turning } of overtones) addSteady(turning, length)
    else {
      placeWobbling(fundamental, wobbling, depth, length)
      xn.fill(1)
      yn.fill(0)
      for (const overtone of overtones) addWobbling(overtone, length)
    }
    for (let i = 0; i < length; i++) {
      const seconds = (i + begin - from) / sampleRate
      const end = Math.min(1, (to - begin - i) / (release * sampleRate))
      out[begin + i] = out[begin + i]! + Math.min(1, seconds / voice.attack) * end * sum[i]!
    }
  }
  if (voice.breath === 0) return
  for (let i = first; i < to; i++) out[i] = out[i]! + at.gain * voice.breath * (2 * random() - 1)
}

/** An overtone of one frequency. */
function addSteady(overtone: Turning, length: number): void {
  const { turnX, turnY } = overtone
  let { x, y } = overtone
  for (let i = 0; i < length; i++) {
    sum[i] = sum[i]! + y
    const next = x * turnX - y * turnY
    y = x * turnY + y * turnX
    x = next
  }
  overtone.x = x
  overtone.y = y
}

/** Where the first overtone is at each sample, if its frequency goes up and down. */
function placeWobbling(first: Turning, wobble: Turning, depth: number, length: number): void {
  for (let i = 0; i < length; i++) {
    const more = depth * wobble.y
    // Sine and cosine of a small angle.
    const moreY = more - more ** 3 / 6
    const moreX = 1 - (more * more) / 2
    const turnX = first.turnX * moreX - first.turnY * moreY
    const turnY = first.turnX * moreY + first.turnY * moreX
    const x = first.x * turnX - first.y * turnY
    first.y = first.x * turnY + first.y * turnX
    first.x = x
    x1[i] = x
    y1[i] = first.y
    const next = wobble.x * wobble.turnX - wobble.y * wobble.turnY
    wobble.y = wobble.x * wobble.turnY + wobble.y * wobble.turnX
    wobble.x = next
  }
}

/** An overtone that turns with the first one: n times as fast, so its place is the first one's, n times. */
function addWobbling(
  overtone: { loud: number; fall: number; phase: number },
  length: number,
): void {
  const { fall, phase } = overtone
  const [x, y] = [Math.cos(phase), Math.sin(phase)]
  let { loud } = overtone
  for (let i = 0; i < length; i++) {
    const a = xn[i]!
    const b = yn[i]!
    const re = a * x1[i]! - b * y1[i]!
    const im = a * y1[i]! + b * x1[i]!
    xn[i] = re
    yn[i] = im
    sum[i] = sum[i]! + loud * (re * y + im * x)
    loud *= fall
  }
  overtone.loud = loud
}

export type Drum = 'kick' | 'snare' | 'hat' | 'crash'

const DRUMS: Readonly<
  Record<Drum, { tone: number; noise: number; decay: number; bright: number }>
> = {
  kick: { tone: 1, noise: 0.05, decay: 0.18, bright: 0.1 },
  snare: { tone: 0.4, noise: 0.7, decay: 0.16, bright: 0.5 },
  hat: { tone: 0, noise: 0.35, decay: 0.05, bright: 1 },
  crash: { tone: 0, noise: 0.6, decay: 1.2, bright: 0.9 },
}

/** Adds a drum stroke to `out`. */
export function addDrum(
  out: Float32Array,
  sampleRate: number,
  at: { start: number; gain: number },
  drum: Drum,
  random: Random = seeded(1),
): void {
  const { tone, noise, decay, bright } = DRUMS[drum]
  const from = Math.round(at.start * sampleRate)
  const to = Math.min(out.length, from + Math.round(3 * decay * sampleRate))
  const first = Math.max(0, from)
  const left = (seconds: number) => Math.exp((from - first) / (seconds * sampleRate))
  // Strength, and how much higher a kick begins: what is left of them after each sample.
  let envelope = at.gain * left(decay / 4)
  const fall = Math.exp(-4 / (decay * sampleRate))
  let higher = 110 * left(0.02)
  const sink = Math.exp(-1 / (0.02 * sampleRate))
  let phase = 0
  let previous = 0
  for (let i = first; i < to; i++) {
    phase += (2 * Math.PI * (drum === 'kick' ? 45 + higher : 190)) / sampleRate
    const white = 2 * random() - 1
    // One coefficient turns noise from dull to bright.
    const coloured = bright * (white - previous) + (1 - bright) * (white + previous) * 0.5
    previous = white
    out[i] = out[i]! + envelope * (tone * Math.sin(phase) + noise * coloured)
    envelope *= fall
    higher *= sink
  }
}

export interface Song {
  samples: Float32Array
  sampleRate: number
  /** Seconds. */
  beats: number[]
  /** Pitch class, and 1 for major. */
  key: number
  mode: 0 | 1
}

export interface SongPlan {
  seconds: number
  sampleRate?: number
  tempo?: number
  key?: number
  mode?: 0 | 1
  beatsPerBar?: number
  drums?: boolean
  chords?: string
  lead?: string
  gain?: number
}

/** A song in a key: chords by bar, a bass, a melody and, if wanted, drums. */
export function song(plan: SongPlan, random: Random = seeded(7)): Song {
  const sampleRate = plan.sampleRate ?? 22_050
  const tempo = plan.tempo ?? 120
  const key = plan.key ?? 0
  const mode = plan.mode ?? 1
  const metre = plan.beatsPerBar ?? 4
  const samples = new Float32Array(Math.round(plan.seconds * sampleRate))
  const scale = mode === 1 ? [0, 2, 4, 5, 7, 9, 11] : [0, 2, 3, 5, 7, 8, 10]
  const pitchOf = (degree: number) =>
    (scale[((degree % 7) + 7) % 7] ?? 0) + 12 * Math.floor(degree / 7) + key
  const chords = VOICES[plan.chords ?? 'piano']!
  const lead = VOICES[plan.lead ?? 'flute']!
  const progression = [0, 4, 0, 3, 0, 5, 4, 0]
  const beat = 60 / tempo
  const beats: number[] = []
  for (let b = 0; b * beat < plan.seconds; b++) {
    const start = b * beat
    beats.push(start)
    const bar = Math.floor(b / metre)
    const root = progression[bar % progression.length]!
    const place = b % metre
    if (place === 0) {
      for (const third of [0, 2, 4]) {
        const pitch = 48 + pitchOf(root + third)
        addTone(
          samples,
          sampleRate,
          { start, duration: metre * beat, pitch, gain: 0.08 },
          chords,
          random,
        )
      }
    }
    const bassPitch = 36 + pitchOf(root)
    addTone(
      samples,
      sampleRate,
      { start, duration: beat, pitch: bassPitch, gain: place === 0 ? 0.2 : 0.12 },
      VOICES.bass!,
      random,
    )
    for (const half of [0, 0.5]) {
      if (random() < 0.25) continue
      const degree = root + [0, 2, 4, 7][Math.floor(random() * 4)]!
      const at = { start: start + half * beat, duration: beat / 2, pitch: 60 + pitchOf(degree) }
      addTone(samples, sampleRate, { ...at, gain: 0.1 }, lead, random)
    }
    if (plan.drums ?? true) {
      const accent = place === 0 || (metre === 4 && place === 2) ? 'kick' : 'snare'
      addDrum(samples, sampleRate, { start, gain: 0.5 }, accent, random)
      for (const half of [0, 0.5])
        addDrum(samples, sampleRate, { start: start + half * beat, gain: 0.2 }, 'hat', random)
    }
  }
  const gain = plan.gain ?? 1
  for (let i = 0; i < samples.length; i++) samples[i] = gain * Math.tanh(samples[i]!)
  return { samples, sampleRate, beats, key, mode }
}
