import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeFile } from '../../src/audio/decode.ts'
import { DecodeError } from '../../src/values/errors.ts'
import { encode, int, wav } from '../support/audio-files.ts'
import { decoded, fixture, written } from '../support/decoded.ts'
import { scratch } from '../support/scratch.ts'

const seconds = (count: number) => wav(new Uint8Array(count * 2000), { bits: 16, sampleRate: 1000 })

describe('files that cannot be read', () => {
  test('none there: a DecodeError with the path and the cause', async () => {
    const path = join(scratch(), 'nowhere.mp3')
    const error = await decoded(path).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).toMatchObject({ message: expect.stringContaining(path) })
    expect(error).toMatchObject({ cause: { code: 'ENOENT' } })
  })

  test('a folder', async () => {
    await expect(decoded(scratch())).rejects.toThrow(/is not a file/)
  })

  test.each([
    ['empty', new Uint8Array(0), /is empty/],
    ['text', Buffer.from('Dear diary'), /no audio file that audile knows/],
    ['zeros', new Uint8Array(50_000), /no audio file that audile knows/],
  ])('%s', async (_, bytes, message) => {
    await expect(decoded(bytes)).rejects.toThrow(message)
  })
})

describe('limits', () => {
  test('seconds, by the header', async () => {
    await expect(decoded(seconds(3), { limits: { seconds: 2 } })).rejects.toThrow(
      /3 s long or longer, over the limit of 2 s of limits.decodedSeconds/,
    )
    expect(await decoded(seconds(2), { limits: { seconds: 2 } })).toMatchObject({ frames: 2000 })
  })

  test('seconds, while decoding what does not say how long it is', async () => {
    const options = { limits: { seconds: 0.3 } }
    await expect(decoded(fixture('stereo.ogg'), options)).rejects.toThrow(/over the limit of 0.3 s/)
  })

  test('time', async () => {
    await expect(decoded(seconds(3), { limits: { elapsed: 1e-6 } })).rejects.toThrow(
      /the first 3 s .* longer than the 0.000001 s of limits.analysisSeconds/i,
    )
    expect(await decoded(seconds(3), { limits: { elapsed: 60 } })).toMatchObject({ frames: 3000 })
  })

  test('channels and sample rate', async () => {
    const file = wav(encode([1, 2, 3], int(2)), { bits: 16, channels: 3 })
    await expect(decoded(file, { limits: { channels: 2 } })).rejects.toThrow(
      /3 channels; 1…2 are possible \(limits.channels\)/,
    )
    expect(await decoded(file, { limits: { channels: 3 } })).toMatchObject({ channels: 3 })
    for (const sampleRate of [999, 768_001]) {
      const odd = wav(encode([1, 2], int(2)), { bits: 16, sampleRate })
      await expect(decoded(odd)).rejects.toThrow(`is ${sampleRate} Hz; 1000…768000 Hz`)
    }
  })
})

describe('streaming', () => {
  test('blocks have at most 65,536 frames', async () => {
    const lengths: number[] = []
    for await (const { channels } of decodeFile(written(seconds(200))))
      lengths.push(channels[0]!.length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(65_536)
    expect(lengths.reduce((a, b) => a + b)).toBe(200_000)
  })

  const descriptors = '/proc/self/fd'
  test.skipIf(!existsSync(descriptors))('the file is closed after an early end', async () => {
    for (let i = 0; i < 10; i++) {
      for await (const block of decodeFile(fixture('stereo.ogg'))) {
        expect(block.sampleRate).toBe(44_100)
        break
      }
    }
    const { readdirSync, readlinkSync } = await import('node:fs')
    const held = readdirSync(descriptors).filter((fd) => {
      try {
        return readlinkSync(join(descriptors, fd)).endsWith('stereo.ogg')
      } catch {
        return false
      }
    })
    expect(held).toEqual([])
  })

  test('other work has its turn while a file is decoded', async () => {
    let turns = 0
    let ended = false
    const turn = () => {
      turns++
      if (!ended) setImmediate(turn)
    }
    setImmediate(turn)
    const mp3 = (await import('node:fs')).readFileSync(fixture('no-header.mp3'))
    await decoded(Buffer.concat(new Array<Buffer>(100).fill(mp3)))
    ended = true
    expect(turns).toBeGreaterThan(2)
  })
})

describe('abort', () => {
  test('before: the reason, and no file is opened', async () => {
    const reason = new Error('changed my mind')
    const signal = AbortSignal.abort(reason)
    await expect(decoded('/nowhere', { signal })).rejects.toBe(reason)
  })

  test('in between: the reason', async () => {
    const controller = new AbortController()
    const blocks = decodeFile(fixture('stereo.flac'), { signal: controller.signal })
    await blocks.next()
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(blocks.next()).rejects.toBe(reason)
  })
})

test('two at once do not disturb each other', async () => {
  const alone = await decoded(fixture('stereo.mp3'))
  const names = ['stereo.mp3', 'stereo.flac', 'stereo.ogg', 'stereo.m4a', 'stereo.mp3']
  const together = await Promise.all(names.map((name) => decoded(fixture(name))))
  expect(together[0]).toEqual(alone)
  expect(together[4]).toEqual(alone)
})
