import { describe, expect, it } from 'vitest'
import { LocalHost } from '../../src/host/host.ts'

describe('the logger', () => {
  it('is told a detail only where there is one', () => {
    const said: unknown[][] = []
    const logger = { debug: (...told: unknown[]) => said.push(told) }
    const host = new LocalHost({ fetch, logger })
    host.log('debug', 'Analysed a.wav in 5 ms.')
    host.log('debug', 'The file is gone.', 'ENOENT')
    expect(said).toEqual([['Analysed a.wav in 5 ms.'], ['The file is gone.', 'ENOENT']])
  })
})
