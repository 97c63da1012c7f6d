import { latin1 } from './bytes.ts'

/** The codecs of Ogg streams by how their first packet begins. */
const HEADS = {
  vorbis: '\x01vorbis',
  opus: 'OpusHead',
  flac: '\x7fFLAC',
  speex: 'Speex   ',
  theora: '\x80theora',
  skeleton: 'fishead\0',
}

export type OggCodec = keyof typeof HEADS

/** The codec of a stream by its first packet; undefined for one that audile does not know. */
export function oggCodec(packet: Uint8Array): OggCodec | undefined {
  for (const [codec, head] of Object.entries(HEADS)) {
    if (latin1(packet, 0, head.length) === head) return codec as OggCodec
  }
  return undefined
}
