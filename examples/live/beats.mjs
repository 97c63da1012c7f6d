// Prints the beats of raw 16-bit samples on standard input, before they sound:
//   arecord -q -t raw -f S16_LE -c 1 -r 44100 | node examples/live/beats.mjs
//   ffmpeg -v error -re -i song.mp3 -f s16le -ac 1 -ar 44100 - | node examples/live/beats.mjs
import { LiveRhythm } from 'audile/live'

/** Blocks of one channel; a sample may be cut between two pieces. */
async function* blocks(input) {
  let rest = Buffer.alloc(0)
  for await (const piece of input) {
    const bytes = Buffer.concat([rest, piece])
    const samples = new Float32Array(bytes.length >> 1)
    for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(2 * i) / 32_768
    rest = bytes.subarray(2 * samples.length)
    yield [samples]
  }
}

const live = new LiveRhythm({ sampleRate: 44_100 })
for await (const { time, downbeat, tempo, ahead } of live.beats(blocks(process.stdin)))
  console.log(
    `${time.toFixed(2)} s ${downbeat ? 'ONE' : '  .'} ${tempo.toFixed(1)} BPM, ${(1_000 * ahead).toFixed(0)} ms ahead`,
  )
