import { DecodeError } from '../errors.ts'
import { type Container, FORMATS } from './formats.ts'
import { startPcmProcess } from './pcm-process.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

/**
 * The demuxers that ffmpeg may choose for a file that audile does not know: formats of sound, or of
 * sound and picture. Playlists (hls, concat, dash, sdp …) are not among them: they name other files.
 */
const OTHERS = [
  'aa,aac,ac3,adp,adx,aea,aiff,amr,amrnb,amrwb,ape,asf,ast,au,avi,brstm,caf,dff,dsf,dts,dtshd,eac3',
  'flac,flv,g722,gsm,hca,iff,ircam,loas,matroska,mlp,mmf,mov,mp3,mpc,mpc8,mpeg,mpegts,nistsphere',
  'nut,ogg,oma,paf,pvf,qcp,rm,rso,sbc,shn,smjpeg,sol,sox,spdif,tak,truehd,tta,voc,vqf,w64,wav,wsd',
  'wtv,wv,wve,xa,xwma',
].join(',')

/**
 * Decodes with the ffmpeg program that the host names. Its output is AU, whose header states rate
 * and channels, so no second program has to find them first.
 *
 * ffmpeg can open nothing but this file: its demuxer is chosen by audile, or is one of `OTHERS`; network
 * and other protocols are closed; and the file comes through a pipe where the format allows it.
 *
 * @param container the file's format, if its content tells it
 * @param error why audile does not decode the file itself
 */
export async function openFfmpeg(
  ffmpegPath: string,
  path: string,
  container: Container | undefined,
  error: unknown,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const format = container && FORMATS[container]
  const seeks = !format || format.seeks === true
  const output = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-c:a', 'pcm_f32be', '-f', 'au', 'pipe:1']
  const args = [
    ...['-v', 'error', '-nostdin'],
    ...(format ? ['-f', format.ffmpeg] : ['-format_whitelist', OTHERS]),
    ...['-protocol_whitelist', seeks ? 'file' : 'pipe', '-i', seeks ? `file:${path}` : 'pipe:0'],
    ...output,
  ]
  const child = await startPcmProcess(ffmpegPath, args, process.env, {
    ...(!seeks && { input: path }),
    signal,
    explain: (failure) => {
      const own = error instanceof NoDecoder ? `This file is ${error.message}.` : messageOf(error)
      return new DecodeError(
        `${own} ${ffmpegPath} (option ffmpegPath) failed on it too: ${failure.message}`,
        { cause: failure },
      )
    },
  })
  const codec = error instanceof NoDecoder ? error.codec : 'unknown'
  return { container: container ?? 'unknown', codec, decoder: 'ffmpeg', ...child }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
