// Writes MIDI clock, 24 ticks a beat, for raw 16-bit samples on standard input, to a raw MIDI device or a file:
//   arecord -q -t raw -f S16_LE -c 1 -r 44100 | node examples/live/midi-clock.mjs /dev/snd/midiC1D0
import { openSync, writeSync } from 'node:fs'
import { LiveRhythm } from 'audile/live'

const [START, CLOCK, STOP] = [0xfa, 0xf8, 0xfc]
const TICKS = 24
const [file] = process.argv.slice(2)
if (!file) {
  console.error('Name the MIDI device: node midi-clock.mjs /dev/snd/midiC1D0')
  process.exit(1)
}
const device = openSync(file, 'w')
const send = (byte) => writeSync(device, Uint8Array.of(byte))

let isPlaying = false
let timers = []
const live = new LiveRhythm({
  sampleRate: 44_100,
  onBeat({ ahead, tempo, downbeat }) {
    if (!isPlaying && !downbeat) return
    if (!isPlaying) send(START)
    isPlaying = true
    // Ticks of the beat before that are still due would be too many.
    for (const timer of timers) clearTimeout(timer)
    const tick = 60_000 / tempo / TICKS
    timers = Array.from({ length: TICKS }, (_, i) =>
      setTimeout(() => send(CLOCK), Math.max(0, 1_000 * ahead) + i * tick),
    )
  },
  onTempo({ tempo }) {
    if (tempo > 0 || !isPlaying) return
    for (const timer of timers) clearTimeout(timer)
    send(STOP)
    isPlaying = false
  },
})

let rest = Buffer.alloc(0)
for await (const piece of process.stdin) {
  const bytes = Buffer.concat([rest, piece])
  const samples = new Float32Array(bytes.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(2 * i) / 32_768
  rest = bytes.subarray(2 * samples.length)
  live.push([samples])
}
if (isPlaying) setTimeout(() => send(STOP), 1_000)
