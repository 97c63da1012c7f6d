import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { Md5 } from '../../src/analysis/md5.ts'

it('counts more than 512 MB, three and a half hours of samples', { timeout: 600_000 }, () => {
  const piece = new Uint8Array(2 ** 24).fill(7)
  const md5 = new Md5()
  const node = createHash('md5')
  for (let i = 0; i < 33; i++) {
    md5.update(piece)
    node.update(piece)
  }
  expect(md5.hex()).toBe(node.digest('hex'))
})
