import { readFile, stat } from 'node:fs/promises'
import { type Hearing, SoundListener } from '../sounds/hearing.ts'
import { openSoundNetwork, readSoundModel, requireSize } from '../sounds/sound-model.ts'
import type { SoundNetwork } from '../sounds/sound-network.ts'
import { packedMoments } from '../sounds/timeline.ts'
import { type HeardSummary, type Instrument, instrumentsOf, summaryOf } from '../sounds/whole.ts'
import { DecodeError, invalidParameter, messageOf } from '../values/errors.ts'
import { type AudioTask, decodeBlocks, progressOf, reportOccasionally } from './decode-task.ts'

/** The file of a network that names sounds. */
export interface SoundModelFile {
  path: string
  /** Hexadecimal. */
  sha256: string
}

export interface HearTask extends AudioTask {
  model: SoundModelFile
  /** Patches from one to the next that is heard. */
  every: number
  /** Seconds, for the progress. */
  expectedSeconds?: number
}

export interface HearResult {
  every: number
  /** Confidences by patch; see {@link packedMoments}. */
  moments: Uint8Array<ArrayBuffer>
  summary: HeardSummary
  instruments: Instrument[]
}

/** The network of this thread, and the checksum of its file. */
let opened: { sha256: string; network: Promise<SoundNetwork> } | undefined

/**
 * Decodes a file and hears which sounds are in it.
 *
 * @throws {DecodeError} when it cannot be decoded
 * @throws {ParameterError} when the file of the network is damaged or gone
 */
export async function hearFile(
  task: HearTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<HearResult> {
  const network = await networkOf(task.model)
  let listener: SoundListener | undefined
  let seconds = 0
  const reportProgress = reportOccasionally(onProgress)
  await decodeBlocks(task, signal, ({ channels, sampleRate }) => {
    listener ??= new SoundListener(network, sampleRate, task.every)
    listener.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    reportProgress(() => progressOf(seconds, task.expectedSeconds))
  })
  if (!listener) throw new DecodeError('The file holds no audio samples.')
  return resultOf(listener.finish())
}

function resultOf(hearing: Hearing): HearResult {
  const moments = new Uint8Array(packedMoments(hearing))
  return {
    every: hearing.every,
    moments,
    summary: summaryOf(hearing, moments),
    instruments: instrumentsOf(hearing),
  }
}

async function networkOf({ path, sha256 }: SoundModelFile): Promise<SoundNetwork> {
  if (opened?.sha256 !== sha256) {
    opened = { sha256, network: modelBytes(path).then((bytes) => openSoundNetwork(bytes, sha256)) }
  }
  try {
    return await opened.network
  } catch (error) {
    opened = undefined
    throw error
  }
}

/**
 * Requires that a file holds a network that can be used.
 *
 * @throws {ParameterError} when it is missing, damaged, cut or another file
 */
export async function requireSoundModel({ path, sha256 }: SoundModelFile): Promise<void> {
  await readSoundModel(await modelBytes(path), sha256)
}

async function modelBytes(path: string): Promise<Uint8Array> {
  try {
    // A file of many gigabytes is refused before it is read.
    requireSize((await stat(path)).size)
    return await readFile(path)
  } catch (error) {
    if (!('syscall' in (error as object))) throw error
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : messageOf(error)
    throw invalidParameter(
      'soundModel',
      `${path}: the file ${why}; "audile model add" fetches it.`,
      {
        cause: error,
      },
    )
  }
}
