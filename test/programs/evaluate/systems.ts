import { Examiner } from '../../../src/analyzer/examiner.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import { MonoStream } from '../../../src/audio/mono-stream.ts'
import { atOnce } from '../../../src/kernel/scheduler.ts'
import {
  type IdentifiedSong,
  identifyByCodes,
  identifySound,
  type SoundPrints,
} from '../../../src/recognition/search/identifying.ts'
import type { Codes, Lookup } from '../../../src/recognition/systems/codes.ts'
import { Fingerprinter } from '../../../src/recognition/systems/fingerprinter.ts'
import type { Landmarks } from '../../../src/recognition/systems/landmarks.ts'
import { songCodes } from '../../../src/recognition/systems/triplets.ts'
import {
  type Family,
  LANDMARK_SYSTEM,
  UNITS_PER_SECOND,
} from '../../../src/recognition/systems/version.ts'
import { indexOf } from '../../support/code-index.ts'

// What identification is measured on: all that this program needs of the source.

export type { Codes, IdentifiedSong as Identified, Landmarks, SoundPrints as Prints }
export { songCodes }

/** The system whose codes are made of landmarks, by `songCodes`. */
export const OURS = 'triplets' satisfies Family

/** Units of codes' times in a second. */
export const TIME_UNITS = { [OURS]: UNITS_PER_SECOND[OURS], echoprint: UNITS_PER_SECOND.echoprint }

/** Units of the times of landmarks in a second; lowest and highest frequency, in their unit. */
export const LANDMARK_UNITS = {
  second: LANDMARK_SYSTEM.secondFrames,
  lowest: LANDMARK_SYSTEM.peaks.lowest,
  highest: LANDMARK_SYSTEM.peaks.highest,
}

/** The systems of fingerprints that an index holds. */
export const SYSTEMS = [OURS, 'echoprint', 'chroma'] as const
export type System = (typeof SYSTEMS)[number]

/** A file's fingerprints. @param chroma - of system A too, for which the file must be analysed */
export async function printsOf(file: string, chroma: boolean): Promise<SoundPrints> {
  let taker: Examiner | MonoStream | undefined
  let fingerprinter: Fingerprinter | undefined
  for await (const { channels, sampleRate } of decodeFile(file, { ffmpegPath: 'ffmpeg' })) {
    fingerprinter ??= new Fingerprinter({ sampleRate })
    taker ??= chroma
      ? new Examiner({ sampleRate, channels: channels.length })
      : new MonoStream(sampleRate, (mono) => fingerprinter?.push(mono))
    taker.push(channels)
  }
  const examined = taker?.finish()
  if (!fingerprinter) throw new Error(`${file} holds no sound.`)
  if (examined) return examined.prints
  const none = { codes: new Uint32Array(0), times: new Uint32Array(0) }
  return { ...fingerprinter.finish(), chroma: none }
}

/** The codes that an index holds of a song. */
export function indexedCodes(system: System, prints: SoundPrints): Codes {
  switch (system) {
    case OURS:
      return songCodes(prints.landmarks)
    case 'echoprint':
      return prints.echoprint.codes
    case 'chroma':
      return prints.chroma
  }
}

/** Songs to be found, in memory: song i is the i-th of those given. */
export class Reference {
  readonly #lookups: Partial<Record<Family, Lookup>> = {}

  /** @param codesOf - of every song, one system's codes */
  constructor(codesOf: (system: System) => readonly Codes[]) {
    for (const system of SYSTEMS) this.#lookups[system] = indexOf(codesOf(system))
  }

  /** The song of an excerpt, as `identify` decides by sound. */
  find(prints: SoundPrints): IdentifiedSong | undefined {
    return atOnce(identifySound(prints, this.#lookup, ownRecording))[0]
  }

  /** The song of an excerpt by the codes of one system alone. */
  findByCodes(system: System, codes: Codes): IdentifiedSong | undefined {
    return atOnce(identifyByCodes(system, codes, this.#lookup(system), ownRecording)).accepted[0]
  }

  readonly #lookup = (family: Family): Lookup => this.#lookups[family] ?? EMPTY
}

/** Of the systems that the index does not hold. */
const EMPTY = indexOf([])

/** As in a database in which every file is a song of its own. */
function ownRecording(song: number): number {
  return song
}
