import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { clip, waveFile } from '../../support/clips.ts'
import { record } from '../../support/figures.ts'
import { sized } from './sized.ts'

const FILES = sized(20, 1)
const SECONDS = sized(30, 4)

/**
 * How long the application's event loop waits while audile analyses a folder: with the engine in
 * its thread, and against the same work inline.
 */
export async function benchWaiting(): Promise<void> {
  // By name, so that the built package is measured: threads start from built files only.
  const { Audile } = (await import('audile' as string)) as typeof import('../../../src/index.ts')
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  try {
    for (let i = 0; i < FILES; i++) {
      await waveFile(
        folder,
        `${i}.wav`,
        clip({ seconds: SECONDS, seed: i + 1, sampleRate: 44_100 }),
      )
    }
    console.log(`\nThe host's event loop while ${FILES} files of ${SECONDS} s are analysed`)
    for (const engine of ['thread', 'inline'] as const) {
      const music = await Audile.open({
        database: ':memory:',
        engine,
        workers: engine === 'inline' ? 0 : 1,
      })
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const started = performance.now()
      let complete = 0
      for await (const track of music.tracks.uploadFolder(folder)) {
        if (track.answer.status === 'complete') complete++
      }
      const took = performance.now() - started
      delay.disable()
      await music.close()
      if (engine === 'thread') record('bench', 'waiting', { 'longest ms': delay.max / 1e6 })
      const ms = (ns: number) => `${(ns / 1e6).toFixed(1)} ms`
      console.log(
        `  engine: ${engine.padEnd(6)}  ${complete} complete in ${(took / 1000).toFixed(1)} s  waits: p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, max ${ms(delay.max)}`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
