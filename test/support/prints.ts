import { MonoStream } from '../../src/audio/mono-stream.ts'
import type { Samples } from '../../src/client/audio-input.ts'
import { Fingerprinter, type PrintTraces } from '../../src/recognition/systems/fingerprinter.ts'

/** The fingerprints of sound in memory. */
export function tracesOf({ samples, sampleRate }: Samples): PrintTraces {
  const fingerprinter = new Fingerprinter({ sampleRate })
  const mono = new MonoStream(sampleRate, (part) => fingerprinter.push(part))
  mono.push(samples as Float32Array[])
  mono.finish()
  return fingerprinter.finish()
}
