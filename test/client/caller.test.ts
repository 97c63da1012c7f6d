import { describe, expect, it } from 'vitest'
import { Audile, AudileError, camelot, DecodeError, ParameterError } from '../../src/index.ts'
import { clip } from '../support/clips.ts'
import { openInline } from '../support/open.ts'

/** What a program's function threw, and the stack of that function's own line. */
async function thrown(program: () => unknown): Promise<AudileError> {
  try {
    await program()
  } catch (error) {
    if (error instanceof AudileError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The first line of a stack that says where. */
function topOf({ stack }: Error): string {
  return stack?.split('\n').find((line) => line.startsWith('    at ')) ?? ''
}

describe('the stack of an error', () => {
  it.each<[string, (music: Audile) => unknown]>([
    ['a name of a key', () => camelot(-1, 0)],
    ['a call', (music) => music.songs.search({ results: -1 })],
    [
      'a call of a handle',
      async (music) => (await music.tracks.list()).tracks[0]?.analyze({ bucket: 'audio_summary' }),
    ],
    ['a call by name', (music) => music.call('song/search', { results: -1 })],
    ['many calls in one', (music) => music.tracks.duplicates({ evidence: 'yes' as never })],
    [
      'an iterator',
      async (music) => {
        for await (const _ of music.tracks.uploadFolder('/there/is/no/such/folder'))
          throw new Error('a track')
      },
    ],
    [
      'an import',
      (music) => music.as('nobody').songs.import([{ title: 'Help!', artistName: 'The Beatles' }]),
    ],
    ['a wrong key', (music) => music.as('nobody').tracks.list()],
    ['opening', () => Audile.open({ database: '' })],
    ['opening with a path', () => Audile.open('music.db' as never)],
    ['listening', (music) => music.on('trcak' as never, () => {})],
    ['a fault that needs no engine', (music) => music.songs.identify('song.mp3' as never)],
    ['bad samples', (music) => music.tracks.upload({ samples: [], sampleRate: 44_100 })],
    ['a ticket', (music) => music.catalogs.ticket(5 as never)],
  ])('begins at the line of the caller of %s', async (_, program) => {
    const music = await openInline()
    await music.tracks.upload({ ...clip(), wait: true })
    const error = await thrown(() => program(music))
    expect(topOf(error)).toContain('caller.test.ts')
    expect(error.stack).toContain(`${error.name} [${error.code}]: ${error.message}\n`)
  })

  it('keeps that of the engine as the cause, with its own causes', async () => {
    const music = await openInline()
    const error = await thrown(() => music.tracks.upload({ file: '/no/such/song.mp3' }))
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.code).toBe('decode')
    const { cause } = error
    expect(cause).toBeInstanceOf(DecodeError)
    expect((cause as Error).message).toBe(error.message)
    expect((cause as Error).stack).toMatch(/src.input/)
    expect((cause as Error).cause).toMatchObject({ code: 'ENOENT' })
    // As in errors of Node itself: a logger does not print it as a property.
    expect(Object.keys(error)).not.toContain('cause')
  })

  it('is not touched where the program gave the error', async () => {
    const music = await openInline()
    const reason = new ParameterError('invalid_parameter', 'mine')
    const { stack } = reason
    const signal = AbortSignal.abort(reason)
    await expect(music.tracks.similar('TR', { signal })).rejects.toBe(reason)
    expect(reason.stack).toBe(stack)
  })
})

describe('a slip', () => {
  it.each<[string, (music: Audile) => unknown, string]>([
    [
      'a path instead of options',
      () => Audile.open('music.db' as never),
      'Audile.open takes an object, e.g. Audile.open({ database: "music.db" })',
    ],
    ['no options', () => Audile.open(undefined as never), 'Audile.open takes an object'],
    [
      'a misspelt event',
      (music) => music.on('trcak' as never, () => {}),
      'There is no event "trcak"; did you mean "track"?',
    ],
    [
      'a misspelt method',
      (music) => music.call('track/serach' as never, {} as never),
      'did you mean "track/',
    ],
    [
      'a misspelt option',
      () => Audile.open({ databse: ':memory:' } as never),
      'Audile.open has no option "databse"; did you mean "database"?',
    ],
  ])('%s is answered with the remedy', async (_, program, message) => {
    const music = await openInline()
    expect((await thrown(() => program(music))).message).toContain(message)
  })
})
