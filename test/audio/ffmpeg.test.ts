import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { DecodeError } from '../../src/errors.ts'
import { decoded, differenceFromSine, fixture } from '../support/decoded.ts'

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

  test('an abort ends it with the reason', async () => {
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(decoded(fixture('adts.aac'), { ffmpegPath, signal })).rejects.toBe(reason)
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
