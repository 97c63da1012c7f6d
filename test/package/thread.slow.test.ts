import { describe, expect, it } from 'vitest'
import { tell } from '../support/told-by-program.ts'

describe('an engine in its thread', () => {
  it('streams bytes, samples and downloads across', async () => {
    const statuses = await tell(`
      import { readFileSync } from 'node:fs'
      const asked = []
      const fetch = async (url) => (asked.push(String(url)), new Response(readFileSync(file)))
      const music = await Audile.open({ database, fetch })
      const bytes = await music.tracks.upload({ bytes: readFileSync(file), wait: true })
      const url = await music.tracks.upload({ url: 'https://music.invalid/song', wait: true })
      const samples = await music.tracks.upload({
        samples: [new Float32Array(700_000).map((_, i) => Math.sin(i / 20))], sampleRate: 44100, wait: true })
      out([bytes.id === url.id, url.answer.status, samples.answer.status, asked])
      await music.close()
    `)
    expect(statuses).toEqual([true, 'complete', 'complete', ['https://music.invalid/song']])
  })

  it('takes Buffers of any size, and leaves them to their owner', async () => {
    const [status, same, left, exited] = await tell(`
      import { readFileSync } from 'node:fs'
      import { createHash } from 'node:crypto'
      const music = await Audile.open({ database })
      const small = readFileSync(file)
      const header = small.subarray(0, 44), body = small.subarray(44)
      const large = Buffer.concat([header, ...Array(20).fill(body)])
      large.writeUInt32LE(large.length - 8, 4)
      large.writeUInt32LE(large.length - 44, 40)
      const md5 = createHash('md5').update(large).digest('hex')
      const { answer } = await music.tracks.upload({ bytes: large, wait: true })
      await music.close()
      out([answer.status, answer.md5 === md5, large.length > 3_000_000])
    `)
    expect([status, same, left, exited]).toEqual(['complete', true, true, undefined])
  })

  it('aborts with the signal’s own reason', async () => {
    const result = await tell(`
      const music = await Audile.open({ database })
      const samples = [new Float32Array(44100 * 60).map((_, i) => Math.sin(i / 20))]
      const abort = new AbortController()
      const reason = new Error('enough')
      const track = await music.tracks.upload({ samples, sampleRate: 44100 })
      const waiting = track.analyzed({ signal: abort.signal }).catch((e) => e)
      // Answered after the engine has been asked to wait.
      await music.tracks.list()
      abort.abort(reason)
      const caught = await waiting
      out([caught === reason, (await track.analyzed()).status])
      await music.close()
    `)
    expect(result).toEqual([true, 'complete'])
  })
})
