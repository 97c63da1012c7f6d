import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unsupportedVersion } from '../../src/kernel/load-package.ts'
import { scratch } from '../support/scratch.ts'

function installed(name: string, version: string): string[] {
  const folder = scratch()
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version }))
  return [scratch(), folder]
}

it.each(['bullmq', 'pg-boss', 'ws'] as const)('%s is refused in another major version', (name) => {
  expect(unsupportedVersion(name)).toBeUndefined()
  expect(unsupportedVersion(name, [scratch()])).toBeUndefined()
  expect(unsupportedVersion(name, installed(name, '99.1.0'))).toMatch(
    new RegExp(`^${name} 99.1.0 is installed, and \\^.* is needed: npm install ${name}@\\^`),
  )
})
