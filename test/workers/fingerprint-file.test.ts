import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { chromaCodes, chromaProbes } from '../../src/recognition/systems/chroma.ts'
import { fingerprintFile } from '../../src/workers/tasks.ts'
import { waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

const quiet = () => {}
const limits = { seconds: 100_000, channels: 8 }
const decode = { limits }

describe('fingerprintFile', () => {
  it('takes the codes of system A that are asked for, as a song has them or to look it up', async () => {
    const path = await waveFile(scratch(), 'tune.wav', tune({ seed: 1 }))
    const plain = await fingerprintFile({ path, decode }, quiet)
    expect(plain.traces.landmarks.times.length).toBeGreaterThan(100)
    expect(plain.chroma.codes).toHaveLength(0)
    const { segments } = analyze(tune({ seed: 1 }))
    for (const [chroma, made] of [
      ['codes', chromaCodes(segments)],
      ['probes', chromaProbes(segments)],
    ] as const) {
      const result = await fingerprintFile({ path, decode, chroma }, quiet)
      expect(result.chroma.codes.length).toBeGreaterThan(20)
      expect(result.chroma).toEqual(made)
    }
  })

  it('says why a part holds nothing', async () => {
    const path = await waveFile(scratch(), 'tune.wav', tune({ seed: 1 }))
    const failure = (start: number, length?: number) =>
      expect(fingerprintFile({ path, decode, start, length }, quiet)).rejects
    await failure(25).toThrow('only 20.0 s, nothing from 25 s on')
    await failure(0, 1e-9).toThrow('A length of 1e-9 s contains no sample')
    await failure(3, 1e-9).toThrow('A length of 1e-9 s contains no sample')
  })

  it.skipIf(!existsSync('/proc/self/fd'))('lets go of the file when it fails', async () => {
    const folder = scratch()
    const path = await waveFile(folder, 'tune.wav', tune({ seed: 1 }))
    const broken = fingerprintFile({ path, decode }, () => {
      throw new Error('nobody listens')
    })
    await expect(broken).rejects.toThrow('nobody listens')
    const open = readdirSync('/proc/self/fd').map((fd) => {
      const link = join('/proc/self/fd', fd)
      return existsSync(link) ? readlinkSync(link) : ''
    })
    expect(open.filter((name) => name.startsWith(folder))).toEqual([])
  })
})
