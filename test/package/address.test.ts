import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  type Address,
  addressOf,
  obstacle,
  PLACEHOLDER,
  pageOf,
} from '../programs/address/address.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Address

describe('the address of the repository', () => {
  it('gives homepage, bugs and funding of package.json', () => {
    expect(MANIFEST).toMatchObject(addressOf(pageOf(MANIFEST)))
  })

  it('is a page on GitHub', () => {
    expect(() => addressOf('https://example.com/audile')).toThrow(/no page of a repository/)
  })
})

describe('publishing', () => {
  it('is refused while nobody has said where the repository is', () => {
    expect(obstacle(`https://github.com/${PLACEHOLDER}/audile`, undefined)).toMatch(
      /npm run address/,
    )
  })

  it('is refused from another repository than package.json names', () => {
    expect(obstacle('https://github.com/one/audile', 'two/audile')).toMatch(/names .*one\/audile/)
  })

  it('is allowed from the one that it names', () => {
    expect(obstacle('https://github.com/one/audile', 'one/audile')).toBeUndefined()
    expect(obstacle('https://github.com/one/audile', undefined)).toBeUndefined()
  })
})

describe('links of the readme', () => {
  // npm resolves relative ones against the repository's main branch, but "/a" and "../a" wrongly.
  it('that are relative name files of the repository, from its root', () => {
    const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
    const files = links.filter((link) => !/^(?:[a-z]+:|#)/.test(link))
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((link) => /^(?:\/|\.)/.test(link))).toEqual([])
    expect(files.filter((link) => !existsSync(join(ROOT, link.replace(/#.*/, ''))))).toEqual([])
  })
})
