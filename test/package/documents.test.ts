import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { blocksOf, DOCUMENTS } from '../support/documents.ts'

// That their pieces are correct TypeScript: docs.slow.test.ts.
describe('the README and the guides', () => {
  it('are found', () => {
    expect(DOCUMENTS.size).toBeGreaterThan(15)
  })

  it('link to files and headings that are there', () => {
    expect([...DOCUMENTS].flatMap(([name, text]) => deadLinks(name, text))).toEqual([])
  })

  it('are all reached from examples/README.md', () => {
    const index = DOCUMENTS.get('examples/README.md') as string
    const lacking = [...DOCUMENTS.keys()].filter(
      (name) => name.startsWith('examples/') && name !== 'examples/README.md',
    )
    expect(lacking.filter((name) => !index.includes(name.slice('examples/'.length)))).toEqual([])
  })
})

describe('the README', () => {
  it('is read in a minute', () => {
    expect(DOCUMENTS.get('README.md')?.split('\n').length).toBeLessThanOrEqual(181)
  })

  it('has recipes of at most eight lines', () => {
    const long = blocksOf('ts')
      .filter(({ document }) => document === 'README.md')
      .filter(({ code }) => code.trim().split('\n').length > 8)
    expect(long.map(({ place }) => place)).toEqual([])
  })
})

function deadLinks(name: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', hash] = link.split('#')
      const target = path === '' ? name : join(dirname(name), path).replaceAll('\\', '/')
      const page = DOCUMENTS.get(target)
      if (!page) return !existsSync(join(PACKAGE, target))
      return hash !== undefined && !headingsOf(page).includes(hash)
    })
    .map((link) => `${name}: ${link}`)
}

/** The anchors of a document's headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
