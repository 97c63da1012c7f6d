// A twelve-second clip made of nothing but arithmetic: drums at 120 beats a minute under C, F, G, C.

const RATE = 44_100
const BEAT = 60 / 120
const CHORDS = [
  [261.63, 329.63, 392.0],
  [349.23, 440.0, 523.25],
  [392.0, 493.88, 587.33],
  [261.63, 329.63, 392.0],
]

/** @returns {{ samples: Float32Array[], sampleRate: number }} */
export function generatedClip(seconds = 12) {
  const samples = new Float32Array(Math.round(seconds * RATE))
  const add = (start, length, wave) => {
    const from = Math.round(start * RATE)
    const to = Math.min(samples.length, from + Math.round(length * RATE))
    for (let i = from; i < to; i++) samples[i] += wave((i - from) / RATE)
  }
  let noise = 1
  const hiss = () => {
    noise = (Math.imul(noise, 1664525) + 1013904223) | 0
    return noise / 2 ** 31
  }
  for (let beat = 0; beat * BEAT < seconds; beat++) {
    const at = beat * BEAT
    if (beat % 2 === 0) {
      const kick = (t) =>
        0.5 * Math.exp(-t * 18) * Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-t * 30)) * t)
      add(at, 0.25, kick)
    } else {
      add(at, 0.15, (t) => 0.22 * Math.exp(-t * 28) * hiss())
    }
    for (const half of [0, BEAT / 2]) add(at + half, 0.05, (t) => 0.06 * Math.exp(-t * 90) * hiss())
    if (beat % 4 === 0) {
      for (const [i, pitch] of CHORDS[(beat / 4) % CHORDS.length].entries()) {
        const note = (t) =>
          0.09 *
          Math.exp(-t * 0.9) *
          (Math.sin(2 * Math.PI * pitch * t) + 0.4 * Math.sin(4 * Math.PI * pitch * t))
        add(at, 4 * BEAT, note)
        if (i === 0) add(at, 4 * BEAT, (t) => 0.16 * Math.exp(-t) * Math.sin(Math.PI * pitch * t))
      }
    }
  }
  return { samples: [samples], sampleRate: RATE }
}

/** The clip as the bytes of a WAV file of 16 bits. */
export function clipBytes(seconds) {
  const { samples, sampleRate } = generatedClip(seconds)
  const [mono] = samples
  const bytes = new Uint8Array(44 + 2 * mono.length)
  const view = new DataView(bytes.buffer)
  const words = (at, text) => bytes.set(new TextEncoder().encode(text), at)
  words(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  words(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true) // PCM
  view.setUint16(22, 1, true) // channels
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, 2 * sampleRate, true) // bytes a second
  view.setUint16(32, 2, true) // bytes a frame
  view.setUint16(34, 16, true) // bits
  words(36, 'data')
  view.setUint32(40, 2 * mono.length, true)
  for (const [i, sample] of mono.entries()) {
    view.setInt16(44 + 2 * i, Math.round(32_767 * sample), true)
  }
  return bytes
}
