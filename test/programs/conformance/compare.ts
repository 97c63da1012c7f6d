import type { Library } from './ask.ts'
import { isLossless } from './documented.ts'
import type { Answer, Reference } from './facts.ts'
import { byFlac, noSound, type Playing, type Probe, play, probe, referenceOf } from './ffmpeg.ts'
import { judge, type Verdict } from './judge.ts'
import { compareSamples, type SampleComparison } from './samples.ts'

/** A file, what it is, what audile says, and how they differ. */
export interface Row {
  name: string
  reference: Reference
  answer: Answer
  verdict: Verdict
}

/** What was written into a file that was made: it is believed more than what ffmpeg makes of it. */
export type Written = Partial<Pick<Reference, 'title' | 'artist' | 'album' | 'frames'>>

/** Compares one file with what is recorded of it. */
export async function compareRecorded(
  name: string,
  path: string,
  reference: Reference,
  library: Library,
): Promise<Row> {
  const answer = await library.ask(path)
  if (reference.lossless && !answer.refused) answer.decoded = await count(library, path)
  return { name, reference, answer, verdict: judge(reference, answer, undefined) }
}

/** Compares one file with what the host's ffmpeg makes of it. */
export async function compareHeard(
  name: string,
  path: string,
  written: Written | undefined,
  library: Library,
  withFfmpeg: boolean,
): Promise<Row> {
  const [found, answer] = await Promise.all([probe(path), library.ask(path)])
  let { reference, samples } = found
    ? await hear(path, found, play(path, found), answer, library, withFfmpeg)
    : { reference: noSound(), samples: undefined }
  if (found?.codec === 'flac' && reference.demand === 'nothing') {
    const heard = await byFlac(path, (wav) =>
      hear(path, found, play(wav, found), answer, library, withFfmpeg),
    )
    if (heard && heard.reference.demand !== 'nothing') {
      samples = heard.samples
      reference = { ...heard.reference, by: 'flac' }
    }
  }
  Object.assign(reference, written)
  return { name, reference, answer, verdict: judge(reference, answer, samples) }
}

async function hear(
  path: string,
  found: Probe,
  playing: Playing,
  answer: Answer,
  library: Library,
  withFfmpeg: boolean,
): Promise<{ reference: Reference; samples: SampleComparison | undefined }> {
  // Without audile's samples ffmpeg's are only counted.
  const compared = isLossless(found.codec) && !answer.refused
  const blocks = compared ? library.decode(path) : []
  const samples = await compareSamples(
    (async function* () {
      yield* blocks
    })(),
    playing.samples,
    Math.max(1, found.channels),
  )
  const reference = referenceOf(found, await playing.heard(), withFfmpeg)
  return { reference, samples: compared ? samples : undefined }
}

async function count(library: Library, path: string): Promise<NonNullable<Answer['decoded']>> {
  const counted = { frames: 0, sampleRate: 0, channels: 0 }
  for await (const { channels, sampleRate } of library.decode(path)) {
    counted.frames += channels[0]?.length ?? 0
    counted.sampleRate = sampleRate
    counted.channels = channels.length
  }
  return counted
}
