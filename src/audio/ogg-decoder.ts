import type { OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** The decoder of one logical stream of an Ogg file. */
export interface OggDecoder {
  readonly codec: string
  readonly decoder: string
  readonly sampleRate: number
  readonly channels: number
  /** Whether some of its packets gave no sound. */
  readonly lost?: boolean
  /** The sound that a page completes. The first page given is the one the stream begins with. */
  page(page: OggPage): Promise<PcmBlock[]>
  free(): void
}
