import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromHtml } from 'hast-util-from-html'
import { afterAll, describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { example } from '../support/example.ts'
import { reports, SCRIPT } from '../support/report.ts'

const folder = mkdtempSync(join(tmpdir(), 'audile-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { trackPage, libraryPage } = await reports(folder)

/** All elements of a page, which must be HTML without a fault. */
function elements(file: string) {
  const faults: string[] = []
  const text = readFileSync(file, 'utf8')
  const tree = fromHtml(text, {
    onerror: (fault) => void faults.push(`${fault.reason} ${fault.line}`),
  })
  expect(faults).toEqual([])
  const found: { tagName: string; properties: Record<string, unknown> }[] = []
  const visit = (node: (typeof tree.children)[number] | typeof tree) => {
    if (node.type === 'element') found.push(node)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(tree)
  return found
}

describe.each([
  ['track', trackPage],
  ['library', libraryPage],
])('the page of a %s', (_, file) => {
  it('is one file of faultless HTML, in which nothing of a tag is markup', () => {
    const found = elements(file)
    const scripts = found.filter(({ tagName }) => tagName === 'script')
    expect(scripts).toHaveLength(file === trackPage ? 2 : 3)
    expect(readFileSync(file, 'utf8')).toContain('&lt;script&gt;document.title')
    const links = found.flatMap(({ properties }) => [properties.src, properties.href])
    for (const link of links.filter(Boolean)) expect(link).toMatch(/^(data:|#)/)
    const ids = found.map(({ properties }) => properties.id).filter(Boolean)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('tells how it is used, and what is not there', async () => {
  const none = await example(SCRIPT, [])
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('usage:')
  const missing = await example(SCRIPT, [join(folder, 'missing.mp3')])
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain('missing.mp3')
})

it('names no key of a track in which none was heard', async () => {
  const { libraryPage: written } = await import(
    pathToFileURL(join(PACKAGE, 'examples/report/library-page.mjs')).href
  )
  const audioSummary = {
    tempo: 120,
    key: 0,
    mode: 0,
    timeSignature: 4,
    loudness: -9,
    duration: 60,
    energy: 0.5,
    danceability: 0.5,
  }
  const pageOf = (keyConfidence: number) => {
    const track = {
      id: 'TR1',
      title: 'One',
      files: [],
      audioSummary: { ...audioSummary, keyConfidence },
    }
    return String(written({ name: 'Music', tracks: [track], groups: [], unread: [] }))
  }
  expect(pageOf(0.5)).toContain('<b>5A</b> <small>C minor</small>')
  expect(pageOf(0)).not.toContain('<small>C minor</small>')
})

it('lists the copies of a recording and what could not be read', () => {
  const text = readFileSync(libraryPage, 'utf8')
  expect(text).toMatch(/Duplicates[\s\S]*a &amp; b\.mp3[\s\S]*copy\.mp3/)
  expect(text).toMatch(
    /Could not be read[\s\S]*damaged &lt;i&gt;\.wav<\/b> This WAV file is damaged/,
  )
  expect(elements(libraryPage).filter(({ properties }) => properties.tabIndex === -1)).toHaveLength(
    3,
  )
})
