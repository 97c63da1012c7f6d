/**
 * Clips at 11,025 Hz made of whole numbers only, so that every machine makes the same samples: what
 * the original Echoprint generator made of them is in test/golden.
 */

const RATE = 11_025
const SECONDS = 30

/** Marsaglia's xorshift32; the clips draw from one after the other. */
function xorshift(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Bursts of noise that fade, at irregular moments, over a soft hiss. */
function bursts(random: (below: number) => number): Int32Array {
  const samples = Int32Array.from({ length: SECONDS * RATE }, () => random(401) - 200)
  for (let start = 2000; start < samples.length - 9000; start += 3000 + random(9000)) {
    let peak = 20_000
    for (let i = 0; i < 8000; i++) {
      samples[start + i]! += random(2 * peak + 1) - peak
      if (i % 32 === 31) peak -= peak >> 5
    }
  }
  return samples
}

/** A tune of sawtooth tones that fade. */
function saw(random: (below: number) => number): Int32Array {
  const periods = [100, 90, 80, 75, 67, 60, 53, 50, 45, 40]
  const samples = new Int32Array(SECONDS * RATE)
  for (let start = 0; start < samples.length; ) {
    const period = periods[random(periods.length)]!
    const length = 2000 + random(8000)
    const end = Math.min(samples.length, start + length)
    let peak = 12_000
    for (let i = 0; start + i < end; i++) {
      samples[start + i]! += Math.trunc(((i % period) * 2 * peak) / period) - peak
      samples[start + i]! += random(41) - 20
      if (i % 64 === 63) peak -= peak >> 5
    }
    start += length
  }
  return samples
}

/** Too short for a code. */
function short(): Int32Array {
  return Int32Array.from({ length: 2 * RATE }, (_, i) => ((i * 7919) % 2001) - 1000)
}

const random = xorshift(1)
const clips = { bursts: bursts(random), saw: saw(random), short: short() }

/** The samples of a clip, −1…1. */
export function integerClip(name: keyof typeof clips): Float32Array {
  return Float32Array.from(
    clips[name],
    (value) => Math.max(-32_768, Math.min(32_767, value)) / 32_768,
  )
}
