import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DecodeError } from '../../src/values/errors.ts'
import { type Decoded, decoded, differenceFromSine, fixture, written } from '../support/decoded.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

function ffmpeg(...args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args])
  if (status !== 0) throw new Error(String(stderr))
}

/** The stereo fixture in another format of ffmpeg's, under a name that does not tell it. */
function converted(format: string, codec: string): string {
  const path = join(scratch(), 'sound')
  ffmpeg('-i', fixture('stereo.flac'), '-c:a', codec, '-strict', '-2', '-f', format, path)
  return path
}

/** A file that names another one, in a form that ffmpeg would follow by itself. */
function playlist(kind: string, target: string): Buffer {
  const hls = `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:7.0,\nfile://${target}\n#EXT-X-ENDLIST\n`
  if (kind === 'hls') return Buffer.from(hls)
  if (kind === 'concat') return Buffer.from(`ffconcat version 1.0\nfile '${target}'\n`)
  if (kind === 'sdp') return Buffer.from('v=0\nm=audio 5004 RTP/AVP 0\nc=IN IP4 127.0.0.1\n')
  if (kind === 'dash') {
    const set = `<AdaptationSet mimeType="audio/mp4"><Representation id="1"><BaseURL>file://${target}</BaseURL></Representation></AdaptationSet>`
    return Buffer.from(`<?xml version="1.0"?><MPD><Period>${set}</Period></MPD>`)
  }
  // An empty ID3v2 tag, the playlist, and frames of MPEG-1 layer I.
  const frame = Buffer.alloc(416)
  frame.set([0xff, 0xff, 0xc0, 0])
  const tag = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([tag, Buffer.from(hls), frame, frame, frame, frame])
}

const installed = spawnSync('ffmpeg', ['-version']).status === 0

describe.skipIf(!installed)('with ffmpeg', () => {
  const ffmpegPath = 'ffmpeg'

  test('AAC in ADTS frames', async () => {
    const report = await decoded(fixture('adts.aac'), { ffmpegPath })
    // 14 frames of 1,024.
    expect(report).toMatchObject({ decoder: 'ffmpeg', codec: 'AAC', channels: 1, frames: 14_336 })
  })

  test('ADPCM in WAV', async () => {
    const { samples, ...report } = await decoded(fixture('ima.wav'), { ffmpegPath })
    expect(report).toMatchObject({ container: 'wav', decoder: 'ffmpeg', sampleRate: 44_100 })
    expect(differenceFromSine(samples[0]!)).toBeLessThan(0.01)
  })

  test('is not used where audile has a decoder', async () => {
    const report = await decoded(fixture('stereo.mp3'), { ffmpegPath })
    expect(report.decoder).toBe('mpg123')
  })

  test.each([
    ['Matroska', 'matroska', 'flac'],
    ['WavPack', 'wv', 'wavpack'],
    ['True Audio', 'tta', 'tta'],
    ['AC-3', 'ac3', 'ac3'],
    ['Core Audio Format', 'caf', 'pcm_s16le'],
    ['Windows Media', 'asf', 'wmav2'],
    ['WebM', 'webm', 'libopus'],
  ])('%s, which audile does not know', async (_, format, codec) => {
    const path = converted(format, codec)
    const { samples, ...report } = await decoded(path, { ffmpegPath })
    expect(report).toMatchObject({ container: 'unknown', decoder: 'ffmpeg', channels: 2 })
    // 0.6 s of the fixture; Opus is always at 48 kHz.
    expect(samples[0]!.length / report.sampleRate).toBeCloseTo(0.6, 1)
  })

  test('a file whose own decoder fails on it', async () => {
    const wav = readFileSync(fixture('ima.wav'))
    const report = await decoded(wav, { ffmpegPath })
    const mov = converted('mov', 'adpcm_ima_qt')
    expect(report.decoder).toBe('ffmpeg')
    expect(await decoded(mov, { ffmpegPath })).toMatchObject({ decoder: 'ffmpeg', frames: 26_496 })
  })

  test('goes on where the own decoder fails within the file', async () => {
    // A FLAC stream that goes on in mono, which no reader of one format can follow.
    const mono = join(scratch(), 'mono.flac')
    ffmpeg('-i', fixture('stereo.flac'), '-ac', '1', mono)
    const second = readFileSync(mono)
    const frames = second.subarray(second.indexOf(Uint8Array.of(0xff, 0xf8)))
    const both = Buffer.concat([readFileSync(fixture('stereo.flac')), frames])
    await expect(decoded(both)).rejects.toThrow(/changes from 2 channels .* to 1/)
    const { decoder, channels, frames: heard } = await decoded(both, { ffmpegPath })
    expect({ decoder, channels, heard }).toEqual({ decoder: 'ffmpeg', channels: 2, heard: 52_920 })
  })

  test.each(['hls', 'hls behind an ID3 tag', 'concat', 'sdp', 'dash'])(
    'a file that is a playlist (%s) opens no other file',
    async (kind) => {
      const path = join(scratch(), 'upload.mp3')
      writeFileSync(path, playlist(kind, fixture('stereo.mp3')))
      const heard = await decoded(path, { ffmpegPath }).catch((error: unknown) => error)
      if (heard instanceof DecodeError) return
      // Behind the tag are four silent frames of its own.
      const { frames, samples } = heard as Decoded
      expect(kind).toBe('hls behind an ID3 tag')
      expect(frames).toBeLessThanOrEqual(4 * 384)
      expect(samples[0]!.every((value) => Math.abs(value) < 1e-6)).toBe(true)
    },
  )

  test('a folder holds what only ffmpeg plays, too, where the option names one', async () => {
    const wavpack = converted('wv', 'wavpack')
    const found = async (options: { ffmpegPath?: string }) => {
      const music = await openInline(options)
      const tracks: string[] = []
      for await (const { answer } of music.tracks.uploadFolder(dirname(wavpack))) {
        tracks.push(answer.status)
      }
      return tracks
    }
    expect(await found({})).toEqual([])
    expect(await found({ ffmpegPath })).toEqual(['complete'])
  })

  test('an abort ends it with the reason', async () => {
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(decoded(fixture('adts.aac'), { ffmpegPath, signal })).rejects.toBe(reason)
  })
})

describe('what the program is allowed', () => {
  /** A program that writes its arguments as its error. */
  function witness(): string {
    const path = join(scratch(), 'ffmpeg')
    writeFileSync(path, '#!/bin/sh\necho "$@" >&2\nexit 1\n')
    chmodSync(path, 0o755)
    return path
  }

  test.skipIf(process.platform === 'win32').each([
    ['bytes of a known format', 'adts.aac', /-f aac -protocol_whitelist pipe -i pipe:0/],
    ['a container that is read to and fro', 'cut.m4a', /-f mov -protocol_whitelist file -i file:/],
    ['what audile does not know', 'none', /-format_whitelist \S+ -protocol_whitelist file -i/],
  ])('%s', async (_, name, args) => {
    const file = name === 'none' ? Buffer.from('#EXTM3U, or nothing that is known') : undefined
    const path = file ? written(file) : name === 'cut.m4a' ? written(cutMp4()) : fixture(name)
    await expect(decoded(path, { ffmpegPath: witness() })).rejects.toThrow(args)
  })

  function cutMp4(): Buffer {
    return Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypM4A \0\0\0\0')])
  }

  test.skipIf(process.platform === 'win32')('no format among them names other files', async () => {
    const failure = decoded(Buffer.from('?'), { ffmpegPath: witness() })
    const message = await failure.catch((error: Error) => error.message)
    const formats = /-format_whitelist (\S+)/.exec(String(message))![1]!.split(',')
    expect(formats).toContain('matroska')
    for (const format of [
      'hls',
      'concat',
      'dash',
      'sdp',
      'imf',
      'image2',
      'lavfi',
      'mlv',
      'vobsub',
    ]) {
      expect(formats).not.toContain(format)
    }
  })
})

test('a program that is not there', async () => {
  const failure = decoded(fixture('adts.aac'), { ffmpegPath: '/nowhere/ffmpeg' })
  await expect(failure).rejects.toThrow(/\/nowhere\/ffmpeg .*could not be started/)
  await expect(failure).rejects.toBeInstanceOf(DecodeError)
})

test('a program that is no ffmpeg', async () => {
  const failure = decoded(fixture('adts.aac'), { ffmpegPath: process.execPath })
  await expect(failure).rejects.toThrow(/\(option ffmpegPath\) failed/)
})

test('without one, the error says what to do', async () => {
  await expect(decoded(fixture('adts.aac'))).rejects.toThrow(
    'This file is AAC in ADTS frames, for which audile has no decoder of its own. ' +
      'Set the option ffmpegPath.',
  )
})
