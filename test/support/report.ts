import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { clip, waveBytes } from './clips.ts'
import { mp3Bytes } from './encode.ts'
import { example } from './example.ts'
import { song } from './music.ts'
import { taggedMp3 } from './tagged-mp3.ts'

export const HOSTILE = '</title><script>document.title="taken"</script>'
export const SCRIPT = 'examples/report/report.mjs'

async function tagged(frames: Record<string, string>, plan: Parameters<typeof song>[0]) {
  const { samples, sampleRate } = song(plan)
  return Buffer.concat([
    taggedMp3(frames, 0),
    await mp3Bytes({ samples: [samples], sampleRate }, 128),
  ])
}

/** Writes the pages of a track and of a library, as the example makes them. */
export async function reports(folder: string): Promise<{ trackPage: string; libraryPage: string }> {
  const trackPage = join(folder, 'track.html')
  const libraryPage = join(folder, 'library.html')
  const music = join(folder, 'music')
  mkdirSync(music)
  const hostile = join(music, 'a & b.mp3')
  const plan = { seconds: 24, tempo: 128, sampleRate: 44_100 }
  writeFileSync(hostile, await tagged({ TIT2: HOSTILE, TPE1: 'Rock "n" Roll' }, plan))
  copyFileSync(hostile, join(music, 'copy.mp3'))
  const slow = {
    seconds: 16,
    tempo: 90,
    key: 9,
    mode: 0,
    drums: false,
    sampleRate: 44_100,
  } as const
  writeFileSync(join(music, 'slow.mp3'), await tagged({ TIT2: 'Slow one', TPE1: 'Äpfel' }, slow))
  writeFileSync(join(music, 'untitled.wav'), await waveBytes(clip({ seconds: 8, bpm: 150 })))
  const damaged = Buffer.concat([Buffer.from('RIFF    WAVEfmt '), Buffer.alloc(300)])
  writeFileSync(join(music, 'damaged <i>.wav'), damaged)
  for (const [out, path] of [
    [trackPage, hostile],
    [libraryPage, music],
  ] as const) {
    const { code, stderr } = await example(SCRIPT, ['--out', out, path])
    expect(stderr).toBe('')
    expect(code).toBe(0)
  }
  return { trackPage, libraryPage }
}
