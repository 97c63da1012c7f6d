import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultDatabase, HELP, parseArguments } from '../../src/cli/arguments.ts'
import { UsageError } from '../../src/cli/options.ts'

describe('the arguments of the command', () => {
  it('are paths and options in any order, and paths alone behind "--"', () => {
    expect(
      parseArguments([
        'a',
        '--json',
        '-q',
        'b',
        '--workers=2',
        '--ffmpeg',
        'x',
        '--',
        '-c',
        '--csv',
      ]),
    ).toEqual({
      paths: ['a', 'b', '-c', '--csv'],
      format: 'json',
      analysis: false,
      database: undefined,
      ffmpegPath: 'x',
      workers: 2,
      quiet: true,
    })
  })

  it.each([
    [[], 'No file and no folder is named.'],
    [['--jsn', 'a'], "Unknown option '--jsn'. A path that begins with a dash goes behind"],
    [['--json', '--csv', 'a'], '--json and --csv exclude each other.'],
    [['--analysis', 'a'], '--analysis needs --json.'],
    [['a', '--workers', 'two'], '--workers takes a whole number from 1 to 64, not "two".'],
    [['a', '--workers', '65'], 'not "65"'],
    [['a', '--database='], '--database needs the path of a file.'],
    [['a', '--database'], 'argument missing'],
  ])('%j is refused, and why is told', (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError)
    expect(() => parseArguments(args)).toThrow(message)
  })

  it('ask for help or the version whatever else is there', () => {
    expect(parseArguments(['a', '-h'])).toBe('help')
    expect(parseArguments(['--version'])).toBe('version')
  })

  it('are all in the help, in lines that are not broken by a terminal', () => {
    const named = ['json', 'analysis', 'csv', 'database', 'ffmpeg', 'workers', 'quiet', 'version']
    expect(
      named.filter((name) => !HELP.includes(`  --${name}`) && !HELP.includes(`, --${name}`)),
    ).toEqual([])
    const lines = HELP.split('\n').filter((line) => !line.includes('(default: '))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })
})

describe('the database of a call that names none', () => {
  it.each([
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/audile/audile.db'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/a/.local/share/audile/audile.db'],
    ['darwin', {}, '/home/a/Library/Application Support/audile/audile.db'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/audile/audile.db'],
  ] as const)('is one for each user: on %s with %j %s', (platform, env, expected) => {
    expect(defaultDatabase(platform, env, '/home/a')).toBe(join(expected))
  })
})
