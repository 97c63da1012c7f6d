import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run, start } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'

const OPEN = `
  import { Audile } from 'audile'
  const database = process.argv.at(-1)
  const music = await Audile.open({ database, workers: 0 })
  const told = async (call) => {
    const error = await call.then(() => 'nothing', ({ name, message }) => name + ': ' + message)
    return { error }
  }
  const wait = (ms) => new Promise((go) => setTimeout(go, ms))
  async function* records(wrong) {
    for (let i = 0; i < 1001; i++) yield { title: i === 5 ? wrong : 'Song ' + i, artistName: 'A' }
    await new Promise(() => {})
  }
`

it.each([
  [
    'holds a record that cannot be sent',
    `records(() => {})`,
    '',
    /^ParameterError: .*could not be/,
  ],
  [
    'waits when the database is closed',
    `records('x')`,
    'setTimeout(() => music.close(), 300)',
    /^Clo/,
  ],
])(
  'an import whose stalled source %s ends, and ends nothing else',
  async (_, source, then, error) => {
    const script = `${OPEN}
    const call = music.songs.import(${source})
    ${then}
    const result = await told(call)
    await wait(100)
    await music.close()
    console.log(JSON.stringify(result))`
    const { stdout, stderr, code } = await run(script, [join(scratch(), 'music.db')])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const told = JSON.parse(stdout) as { error: string }
    expect(told.error).toMatch(error)
  },
)

it('hundreds of imports at once take their turns in little memory', async () => {
  const script = `
    import { Audile } from 'audile'
    const music = await Audile.open({ database: ':memory:', workers: 0 })
    const records = Array.from({ length: 20 }, (_, i) => ({
      title: i + 'z'.repeat(40_000), artistName: 'A',
    }))
    const all = await Promise.allSettled(Array.from({ length: 400 }, () => music.songs.import(records)))
    await music.close()
    console.log(all.filter(({ status }) => status === 'fulfilled').length)`
  const { stdout, stderr, code } = await run(`
    import { spawnSync } from 'node:child_process'
    const args = ['--max-old-space-size=96', '--input-type=module', '-e', ${JSON.stringify(script)}]
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    process.stderr.write(stderr.slice(0, 2000))
    process.stdout.write(stdout)
    process.exitCode = status ?? 99`)
  expect({ stdout: stdout.trim(), stderr, code }).toEqual({ stdout: '400', stderr: '', code: 0 })
})

it('close() ends while another holds the file, and all calls before it', async () => {
  const script = `${OPEN}
    import Sqlite from 'better-sqlite3'
    await music.songs.import([{ title: 'A', artistName: 'B' }])
    const other = new Sqlite(database)
    other.exec('BEGIN IMMEDIATE')
    const calls = [music.songs.import([{ title: 'C', artistName: 'D' }]), music.keys.create()].map(told)
    await wait(200)
    const order = []
    const closed = music.close().then(() => order.push('closed'))
    const ended = await Promise.all(calls)
    order.push('calls')
    await closed
    // Only now, so that nothing can have waited for it.
    other.exec('COMMIT')
    other.close()
    // Whatever was left is taken up by the next.
    const again = await Audile.open({ database, workers: 0 })
    const found = await again.songs.search({ title: 'A' })
    await again.close()
    console.log(JSON.stringify({ ended, order, found: found.length }))`
  const { stdout, stderr, code } = await run(script, [join(scratch(), 'music.db')])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const { ended, order, found } = JSON.parse(stdout)
  expect(found).toBe(1)
  for (const call of ended) expect(call.error).toMatch(/^ClosedError/)
  expect(order).toEqual(['calls', 'closed'])
})

it('process.exit() ends a process while another holds the file', async () => {
  const script = `${OPEN}
    import Sqlite from 'better-sqlite3'
    const other = new Sqlite(database)
    other.exec('BEGIN IMMEDIATE')
    void told(music.keys.create())
    await wait(200)
    process.exit(7)`
  const { stderr, code } = await run(script, [join(scratch(), 'music.db')])
  // A thread that Node.js ends while it waits inside better-sqlite3 ends the process by SIGABRT.
  expect({ stderr, code }).toEqual({ stderr: '', code: 7 })
})

it.each([
  ['removed', (database: string) => rmSync(database), /was removed or renamed while it was open/],
  [
    'replaced',
    (database: string) => {
      writeFileSync(`${database}.new`, '')
      renameSync(`${database}.new`, database)
    },
    /was replaced by another file while it was open/,
  ],
])('a database file that was %s ends all calls with what happened', async (_, harm, message) => {
  const database = join(scratch(), 'music.db')
  const child = start(
    `${OPEN}
    await music.songs.import([{ title: 'A', artistName: 'B' }])
    const waiting = told(music.tracks.upload({ bytes: new ReadableStream({}) }))
    process.stdout.write('ready')
    const error = await waiting
    const next = await told(music.songs.search({ title: 'A' }))
    await music.close()
    console.log(JSON.stringify([error, next]))`,
    [database],
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let out = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk
      if (out.startsWith('ready')) resolve()
    })
  })
  expect(existsSync(database)).toBe(true)
  harm(database)
  expect(await ended).toBe(0)
  const told = JSON.parse(out.slice('ready'.length)) as { error: string }[]
  expect(told).toHaveLength(2)
  for (const { error } of told) {
    expect(error).toMatch(/^DatabaseError/)
    expect(error).toMatch(message)
  }
})
