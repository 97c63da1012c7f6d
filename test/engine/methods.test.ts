import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { METHODS_BY_NAME } from '../../src/engine/methods.ts'
import { openInline } from '../support/open.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** Names of methods by the file that declares them. */
const DECLARED = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(`${SRC}${file}`, 'utf8')
    return [...text.matchAll(/= method\(\{\s*name: '([^']+)'/g)].map(([, name]) => ({
      file: file.replaceAll('\\', '/'),
      name: name as string,
    }))
  })

describe('methods', () => {
  it('are named after their files; those that wait or go on stand beside what they belong to', () => {
    for (const { file, name } of DECLARED) {
      const [room, own] = name.split('/')
      if (own === 'wait') expect(file.split('/')[0]).toBe(room)
      // `track/scan-next` goes on with `track/scan`.
      else expect([`${name}.ts`, `${name.replace(/-[a-z]+$/, '')}.ts`]).toContain(file)
    }
  })

  it('are all in the list', () => {
    expect(DECLARED.map(({ name }) => name).sort()).toEqual([...METHODS_BY_NAME.keys()].sort())
  })

  it('name no parameter as local that they do not have', () => {
    for (const { parameters, local } of METHODS_BY_NAME.values()) {
      const { shape } = parameters as unknown as { shape: object }
      expect(Object.keys(shape)).toEqual(expect.arrayContaining([...local]))
    }
  })
})

describe('engine/describe', () => {
  it('tells the methods that have HTTP verbs, without what requests cannot give', async () => {
    const music = await openInline()
    const described = await music.call('engine/describe', {})
    expect(described.map(({ name }) => name)).toContain('catalog/read')
    expect(described.map(({ name }) => name)).not.toContain('track/remove')
    expect(described.find(({ name }) => name === 'catalog/list')).toEqual({
      name: 'catalog/list',
      verbs: ['GET'],
      properties: {
        results: { type: 'integer', default: 30, minimum: 0, maximum: 100 },
        start: { type: 'integer', default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: [],
    })
    const upload = described.find(({ name }) => name === 'track/upload')
    expect(Object.keys(upload?.properties ?? {})).toEqual(['url', 'filetype', 'wait', 'bucket'])
    expect(structuredClone(described)).toEqual(described)
  })
})
