import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHANGESETS = join(ROOT, '.changeset')

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

describe('the changelog', () => {
  it('tells of this version first', () => {
    const versions = [...readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.+)$/gm)]
    expect(versions.map(([, version]) => version)[0]).toBe(manifest.version)
  })

  it('is made of changesets that each name this package and how it changes', () => {
    expect(existsSync(join(CHANGESETS, 'config.json'))).toBe(true)
    const written = readdirSync(CHANGESETS).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    )
    const form = new RegExp(
      `^---\\n['"]?${manifest.name}['"]?: (?:major|minor|patch)\\n---\\n\\n\\S[\\s\\S]*$`,
    )
    const wrong = written.filter(
      (name) => !form.test(readFileSync(join(CHANGESETS, name), 'utf8').replaceAll('\r', '')),
    )
    expect(wrong).toEqual([])
  })
})
