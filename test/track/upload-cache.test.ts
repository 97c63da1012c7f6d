import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Audile, DatabaseError } from '../../src/index.ts'
import { PROCESS_NAME } from '../../src/kernel/process-name.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

it('refuses bytes that cannot be kept as the database refuses what it cannot write', async () => {
  const database = join(scratch(), 'music.db')
  const music = await openInline({ database })
  const bytes = await waveBytes(clip({ seconds: 1 }))
  // Where the folder belongs is a file.
  writeFileSync(`${database}-audio`, '')
  const refused = await failure(music.tracks.upload({ bytes }))
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/Cannot keep audio in .*music\.db-audio: EEXIST.*be writable/)
  expect((await music.tracks.list()).total).toBe(0)

  rmSync(`${database}-audio`)
  const { answer } = await music.tracks.upload({ bytes, wait: true })
  expect(answer.status).toBe('complete')
})

it('tells what the source of the bytes threw, as it threw it', async () => {
  const music = await openInline({ database: join(scratch(), 'music.db') })
  const reason = Object.assign(new Error('the card was pulled out'), { code: 'EIO' })
  const bytes = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(reason),
  })
  expect(await failure(music.tracks.upload({ bytes }))).toBe(reason)
})

describe.skipIf(process.platform === 'win32')('uploaded audio', () => {
  const modeOf = (...path: string[]) => statSync(join(...path)).mode & 0o777

  /** Uploads bytes in two pieces; the modes of the files in the folder between the two. */
  async function upload(music: Audile, folder: () => string): Promise<number[]> {
    const bytes = await waveBytes(clip({ seconds: 1 }))
    let half: number[] = []
    async function* pieces() {
      yield bytes.subarray(0, 10_000)
      half = readdirSync(folder()).map((name) => modeOf(folder(), name))
      yield bytes.subarray(10_000)
    }
    await music.tracks.upload({ bytes: pieces(), wait: true })
    return half
  }

  it('is for no other user of the machine to read, in its backup neither', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const folder = `${database}-audio`
    expect(await upload(music, () => folder)).toEqual([0o600])
    const [name = ''] = readdirSync(folder)
    expect([modeOf(folder), modeOf(folder, name)]).toEqual([0o700, 0o600])
    const copy = join(scratch(), 'copy.db')
    await music.backup(copy)
    expect([modeOf(`${copy}-audio`), modeOf(`${copy}-audio`, name)]).toEqual([0o700, 0o600])
  })

  it('of a database in memory is for no other user either', async () => {
    const temporary = scratch()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const music = await openInline()
    const folder = () => join(temporary, String(readdirSync(temporary)[0]))
    expect(await upload(music, folder)).toEqual([0o600])
    expect(modeOf(folder())).toBe(0o700)
  })

  it('leaves a folder that is there as open as its owner made it', async () => {
    const database = join(scratch(), 'music.db')
    const folder = `${database}-audio`
    mkdirSync(folder)
    chmodSync(folder, 0o750)
    expect(await upload(await openInline({ database }), () => folder)).toEqual([0o600])
    expect(modeOf(folder)).toBe(0o750)
  })
})

it('sweeps at once what a process left that is gone, and nothing of one that runs', async () => {
  const database = join(scratch(), 'music.db')
  const folder = `${database}-audio`
  // A pid that no running process has.
  const gone = PROCESS_NAME.replace(/^\d+/, '4194303')
  const elsewhere = `${gone}else`
  mkdirSync(folder)
  for (const owner of [PROCESS_NAME, gone, elsewhere]) {
    writeFileSync(join(folder, `incoming-${owner}-1`), 'half')
    mkdirSync(join(tmpdir(), `audile-${owner}-test`), { recursive: true })
  }
  const mine = (names: string[]) => names.filter((name) => name.endsWith('-test'))
  onTestFinished(() => {
    for (const name of mine(readdirSync(tmpdir())))
      rmSync(join(tmpdir(), name), { recursive: true })
  })
  await openInline({ database })
  expect(readdirSync(folder).sort()).toEqual(
    [`incoming-${PROCESS_NAME}-1`, `incoming-${elsewhere}-1`].sort(),
  )
  const left = mine(readdirSync(tmpdir()))
  expect(left).toEqual(
    expect.arrayContaining([`audile-${PROCESS_NAME}-test`, `audile-${elsewhere}-test`]),
  )
  expect(left).not.toContain(`audile-${gone}-test`)
})

describe('when a commit fails, as on a full disk', () => {
  /**
   * A database with a constraint that is looked at only when a transaction commits: it fails while
   * the SQL that was given makes its row of `held` name a row that is not there.
   */
  async function setUp(sql: string, options: { keepAudio?: boolean } = {}) {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database, ...options })
    const other = new Sqlite(database)
    onTestFinished(() => {
      other.close()
    })
    other.exec(sql)
    const kept = () => readdirSync(`${database}-audio`)
    return { music, other, kept, bytes: await waveBytes(clip({ seconds: 1 })) }
  }

  const HELD = (parent: string) => `CREATE TABLE held (
    parent REFERENCES ${parent} (id) DEFERRABLE INITIALLY DEFERRED)`

  it('a track that is not removed has its bytes still', async () => {
    const { music, other, kept, bytes } = await setUp(HELD('tracks'))
    const { id, answer } = await music.tracks.upload({ bytes, wait: true })
    other.prepare('INSERT INTO held VALUES (?)').run(id)
    expect(await failure(music.tracks.remove(id))).toBeInstanceOf(DatabaseError)
    expect(kept()).toEqual([answer.md5])
    other.exec('DELETE FROM held')
    await music.tracks.remove(id)
    expect(kept()).toEqual([])
  })

  it('an upload that is refused leaves no bytes', async () => {
    const { music, other, kept, bytes } = await setUp(`${HELD('tracks')};
      CREATE TRIGGER hold AFTER INSERT ON tracks BEGIN INSERT INTO held VALUES ('nobody'); END`)
    expect(await failure(music.tracks.upload({ bytes }))).toBeInstanceOf(DatabaseError)
    expect(kept()).toEqual([])
    other.exec('DROP TRIGGER hold')
    const { answer } = await music.tracks.upload({ bytes, wait: true })
    expect(answer.status).toBe('complete')
    expect(kept()).toEqual([answer.md5])
  })

  it('bytes that are not to be kept stay until the analysis is written', async () => {
    const { music, other, kept, bytes } = await setUp(
      `${HELD('jobs')};
       CREATE TRIGGER hold AFTER INSERT ON jobs WHEN new.kind = 'track/analyze'
       BEGIN INSERT INTO held VALUES (new.id); END`,
      { keepAudio: false },
    )
    const tried = jobAgain(music)
    const track = await music.tracks.upload({ bytes })
    await tried
    expect(kept()).toEqual([track.answer.md5])
    other.exec('DROP TRIGGER hold; DROP TABLE held')
    expect((await track.analyzed()).status).toBe('complete')
    expect(kept()).toEqual([])
  })
})

/** Resolves when a job has failed and is to be tried again. */
function jobAgain(music: Audile): Promise<void> {
  return new Promise((resolve) => {
    const off = music.on('job', ({ state }) => {
      if (state !== 'retry') return
      off()
      resolve()
    })
  })
}
