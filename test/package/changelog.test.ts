import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const textOfRoot = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')

it('the changelog begins with the version of the package', () => {
  const [, version] = /^## (.+)$/m.exec(textOfRoot('CHANGELOG.md')) ?? []
  expect(version).toBe(JSON.parse(textOfRoot('package.json')).version)
})
