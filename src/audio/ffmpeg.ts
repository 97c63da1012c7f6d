import { DecodeError } from '../errors.ts'
import { type PcmProcess, ProcessFailure, startPcmProcess } from './pcm-process.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'
import type { Container } from './sniff.ts'

/** How ffmpeg names the formats that audile tells apart. */
const DEMUXER: Readonly<Record<Container, string>> = {
  wav: 'wav',
  au: 'au',
  aiff: 'aiff',
  mp3: 'mp3',
  ogg: 'ogg',
  flac: 'flac',
  mp4: 'mov',
  aac: 'aac',
}

/**
 * The other formats that ffmpeg may find by itself: files of sound, or of sound and picture, that
 * are whole in themselves. Playlists (hls, concat, dash, sdp …), which name other files, are not
 * among them.
 */
const OTHERS = [
  'aa,aac,ac3,adp,adx,aea,aiff,amr,amrnb,amrwb,ape,asf,ast,au,avi,brstm,caf,dff,dsf,dts,dtshd,eac3',
  'flac,flv,g722,gsm,hca,iff,ircam,loas,matroska,mlp,mmf,mov,mp3,mpc,mpc8,mpeg,mpegts,nistsphere',
  'nut,ogg,oma,paf,pvf,qcp,rm,rso,sbc,shn,smjpeg,sol,sox,spdif,tak,truehd,tta,voc,vqf,w64,wav,wsd',
  'wtv,wv,wve,xa,xwma',
].join(',')

/** The formats that ffmpeg reads only where it can go back and forth in the file. */
const SEEKING: ReadonlySet<Container | undefined> = new Set(['mp4', 'aiff', undefined])

/**
 * Decodes by a program that the host names. It writes AU, whose header tells rate and channels, so
 * no second program has to look first.
 *
 * It can open nothing but the file: its format is the one that audile found, or one of those whose
 * files are whole in themselves, never a playlist; network and other protocols are shut; and bytes
 * come through a pipe where the format allows it.
 *
 * @param container the file's format, where its content told it
 * @param error why audile does not decode it itself
 */
export async function openFfmpeg(
  ffmpegPath: string,
  path: string,
  container: Container | undefined,
  error: unknown,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const failed = (failure: unknown): unknown => {
    if (!(failure instanceof ProcessFailure)) return failure
    const own = error instanceof NoDecoder ? `This file is ${error.message}.` : messageOf(error)
    return new DecodeError(
      `${own} ${ffmpegPath} (option ffmpegPath) failed on it too: ${failure.message}`,
      { cause: failure },
    )
  }
  let child: PcmProcess
  try {
    child = await startPcmProcess(ffmpegPath, argumentsFor(path, container), process.env, {
      ...(!SEEKING.has(container) && { input: path }),
      signal,
    })
  } catch (failure) {
    throw failed(failure)
  }
  const { channels, sampleRate, blocks, close } = child
  return {
    container: container ?? 'unknown',
    codec: error instanceof NoDecoder ? error.codec : 'unknown',
    decoder: 'ffmpeg',
    sampleRate,
    channels,
    close,
    blocks: (async function* () {
      try {
        yield* blocks
        return false
      } catch (failure) {
        throw failed(failure)
      }
    })(),
  }
}

function argumentsFor(path: string, container: Container | undefined): string[] {
  const quiet = ['-v', 'error', '-nostdin']
  const format = container ? ['-f', DEMUXER[container]] : ['-format_whitelist', OTHERS]
  const input = SEEKING.has(container)
    ? ['-protocol_whitelist', 'file', '-i', `file:${path}`]
    : ['-protocol_whitelist', 'pipe', '-i', 'pipe:0']
  const sound = ['-map', '0:a:0', '-vn', '-sn', '-dn']
  return [...quiet, ...format, ...input, ...sound, '-c:a', 'pcm_f32be', '-f', 'au', 'pipe:1']
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
