import {
  type DecodeOptions,
  type DecodeReport,
  decodeFile,
  type PcmBlock,
} from '../audio/decode.ts'

/** A task on the audio of a file. */
export interface AudioTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
}

/** The share of the progress that decoding has; the rest is the work after the last sample. */
export const DECODING_SHARE = 0.9

/** Until `takeBlock` returns `true`; reports on files read to their end. */
export async function decodeBlocks(
  { path, decode: options }: AudioTask,
  signal: AbortSignal | undefined,
  takeBlock: (block: PcmBlock) => unknown,
): Promise<DecodeReport | undefined> {
  const blocks = decodeFile(path, { ...options, ...(signal && { signal }) })
  try {
    for (;;) {
      const block = await blocks.next()
      if (block.done) return block.value
      if (takeBlock(block.value) === true) return undefined
    }
  } finally {
    // The decoder may still be open, after a partial read or an error.
    await blocks.return(undefined as never)
  }
}

export function progressOf(seconds: number, expected: number | undefined): number {
  // Without a known length, two minutes count as half.
  const part = expected ? Math.min(1, seconds / expected) : seconds / (seconds + 120)
  return part * DECODING_SHARE
}

/** A worker that reports nothing for long counts as stuck. */
const REPORT_MILLISECONDS = 200

export function reportOccasionally(onProgress: (progress: number) => void) {
  let last = 0
  return (progress: () => number): void => {
    const now = Date.now()
    if (now - last < REPORT_MILLISECONDS) return
    last = now
    onProgress(progress())
  }
}
