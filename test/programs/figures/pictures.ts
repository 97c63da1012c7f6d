import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { mp3Bytes } from '../../support/encode.ts'
import { song } from '../../support/music.ts'
import { taggedMp3 } from '../../support/tagged-mp3.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAX_PICTURE_BYTES = 150_000
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Takes the picture of the report of a piece that is made in code, and returns its path. */
export async function takeReportPicture(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-pictures-'))
  try {
    const page = join(folder, 'report.html')
    await promisify(execFile)(process.execPath, [
      join(ROOT, 'examples/report/report.mjs'),
      ...['--out', page, await pieceIn(folder)],
    ])
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const view = await browser.newPage({ viewport: { width: 1_100, height: 620 } })
      await view.goto(pathToFileURL(page).href)
      const picture = join(ROOT, 'examples/report.png')
      await view.screenshot({ path: picture })
      const { size } = statSync(picture)
      if (size > MAX_PICTURE_BYTES)
        throw new Error(`${picture} has ${size} bytes; at most ${MAX_PICTURE_BYTES} are wanted.`)
      return picture
    } finally {
      await browser.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A piece with an intro, verses and choruses. */
async function pieceIn(folder: string): Promise<string> {
  const sampleRate = 44_100
  const tempo = 112
  const bars = (count: number) => (count * 4 * 60) / tempo
  const parts = [
    { seconds: bars(4), drums: false, lead: 'flute', gain: 0.5 },
    { seconds: bars(8), lead: 'guitar', gain: 0.8 },
    { seconds: bars(8), lead: 'brass', chords: 'organ', key: 5 },
    { seconds: bars(8), lead: 'guitar', gain: 0.8 },
    { seconds: bars(8), lead: 'brass', chords: 'organ', key: 5 },
    { seconds: bars(4), drums: false, chords: 'strings', lead: 'flute', gain: 0.4 },
  ].map((plan) => song({ tempo, sampleRate, ...plan }).samples)
  const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  const mp3 = await mp3Bytes({ samples: [samples], sampleRate }, 128)
  const file = join(folder, 'piece.mp3')
  writeFileSync(file, Buffer.concat([taggedMp3({ TIT2: 'Made in Code', TPE1: 'audile' }, 0), mp3]))
  return file
}
