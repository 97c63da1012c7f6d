import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyseFiles, findFiles } from '../../src/cli/analyse-files.ts'
import type { Finding } from '../../src/cli/format.ts'
import { Progress } from '../../src/cli/progress.ts'
import type { FileChange } from '../../src/index.ts'
import { isMissingFile } from '../../src/track/missing-files.ts'
import { clip, waveFile } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

/** A path in Latin-1, as old disks have it. */
const oldPath = (...parts: string[]) => Buffer.from(join(...parts), 'latin1')
/** As Node reads it. */
const seen = (...parts: string[]) => oldPath(...parts).toString()

const REASON = /the name "Gro\\xdf\.wav" in .* is not in UTF-8.*rename it/

/** A folder with a file and a folder whose names are in Latin-1, and one in UTF-8 beside them. */
async function oldDisk(): Promise<string> {
  const folder = scratch()
  const good = await waveFile(folder, 'Größe.wav', clip({ seconds: 1 }))
  const sound = readFileSync(good)
  writeFileSync(oldPath(folder, 'Gro\xdf.wav'), sound)
  mkdirSync(oldPath(folder, 'Bj\xf6rn'))
  writeFileSync(oldPath(folder, 'Bj\xf6rn', 'a.wav'), sound)
  // Of names that tell that they are no audio, nothing is said.
  writeFileSync(oldPath(folder, 'H\xfclle.jpg'), 'a picture')
  return folder
}

async function all(changes: AsyncIterable<FileChange>): Promise<FileChange[]> {
  const list: FileChange[] = []
  for await (const change of changes) list.push(change)
  return list
}

/** Only where names are bytes. */
describe.runIf(process.platform === 'linux')('names that are no UTF-8', () => {
  it('are told by a scan, each for what it is', async () => {
    const music = await openInline()
    const folder = await oldDisk()
    symlinkSync(join(folder, 'Größe.wav'), oldPath(folder, 'L\xefnk.wav'))
    const scan = music.tracks.scan(folder)
    const failed = (await all(scan)).filter(({ kind }) => kind === 'failed')
    expect(scan.sum).toMatchObject({ added: 1, failed: 3 })
    const errors = new Map(failed.map(({ file, error }) => [file, error?.message]))
    expect(errors.get(seen(folder, 'Gro\xdf.wav'))).toMatch(REASON)
    expect(errors.get(seen(folder, 'Bj\xf6rn'))).toMatch(/the name "Bj\\xf6rn" in .*not in UTF-8/)
    expect(errors.get(seen(folder, 'L\xefnk.wav'))).toMatch(/"L\\xefnk\.wav"/)
    expect([...errors.values()].join()).not.toMatch(/no such file/)
  })

  it('are told by the upload of a folder, and of a file', async () => {
    const music = await openInline()
    const folder = await oldDisk()
    const errors: string[] = []
    const uploads = music.tracks.uploadFolder(folder, {
      onProgress: ({ error }) => error && errors.push(error.message),
    })
    let tracks = 0
    for await (const _ of uploads) tracks++
    expect(tracks).toBe(1)
    // What it cannot open may be audio, whatever its name.
    expect(errors.sort()).toEqual([
      expect.stringMatching(/"Bj\\xf6rn"/),
      expect.stringMatching(REASON),
      expect.stringMatching(/"H\\xfclle.jpg"/),
    ])
    const below = music.tracks.upload({ file: seen(folder, 'Bj\xf6rn', 'a.wav') })
    expect((await failure(below)).message).toMatch(/the name "Bj\\xf6rn" in .*not in UTF-8/)
    const scan = failure(all(music.tracks.scan(seen(folder, 'Bj\xf6rn'))))
    expect((await scan).message).toMatch(/"Bj\\xf6rn"/)
  })

  it('are told by the command', async () => {
    const music = await openInline()
    const folder = await oldDisk()
    const file = seen(folder, 'Gro\xdf.wav')
    const { signal } = new AbortController()
    const progress = new Progress(undefined)
    for (const given of [folder, file]) {
      const { files, missing } = await findFiles(music, [given], { signal, progress })
      expect(missing).toEqual([])
      const options = { analysis: false, signal, progress }
      const findings: Finding[] = []
      for await (const finding of analyseFiles(music, files, options)) findings.push(finding)
      const found = findings.find((finding) => finding.file === file)
      expect(found?.error).toMatch(REASON)
    }
  })

  it('are told by a watch', async () => {
    const music = await openInline()
    const folder = scratch()
    const watching = music.tracks.watch(folder, { settle: 0.1 })
    const next = watching.next()
    const first = await waveFile(folder, 'a.wav', clip({ seconds: 1 }))
    expect((await next).value).toMatchObject({ kind: 'added' })
    writeFileSync(oldPath(folder, 'Gro\xdf.wav'), readFileSync(first))
    const { value } = await watching.next()
    expect(value).toMatchObject({ kind: 'failed', file: seen(folder, 'Gro\xdf.wav') })
    expect((value as FileChange).error?.message).toMatch(REASON)
    await watching.return(undefined)
  })

  it('do not make a known file missing', async () => {
    const music = await openInline()
    const folder = scratch()
    const named = await waveFile(folder, 'Gro\ufffd.wav', clip({ seconds: 1 }))
    await all(music.tracks.scan(folder))
    execFileSync('mv', [named, join(folder, 'kept.wav')])
    renameSync(join(folder, 'kept.wav'), oldPath(folder, 'Gro\xdf.wav'))
    const scan = music.tracks.scan(folder, { prune: true })
    const changes = await all(scan)
    expect(changes.map(({ kind }) => kind)).toEqual(['failed'])
    expect((await music.tracks.list()).total).toBe(1)
    expect((await music.tracks.list({ missing: true })).total).toBe(0)
    // A watch asks for the file alone.
    expect(await isMissingFile(seen(folder, 'Gro\xdf.wav'))).toBe(false)
    expect(await isMissingFile(seen(folder, 'Gr\xdf.wav'))).toBe(true)
  })

  it('where the sign of replaced bytes is in a name in UTF-8, it opens', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'Gro\ufffd.wav', clip({ seconds: 1 }))
    expect((await music.tracks.upload({ file, wait: true })).answer.status).toBe('complete')
    const gone = await failure(music.tracks.upload({ file: `${file}\ufffd` }))
    expect(gone.message).toMatch(/there is no such file/)
  })
})
