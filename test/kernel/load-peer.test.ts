import { expect, it } from 'vitest'
import { loadPeer } from '../../src/kernel/load-peer.ts'
import { ParameterError } from '../../src/values/errors.ts'
import { failure } from '../support/failure.ts'

it('says which option needs an optional package, and how it is installed', async () => {
  const error = await failure(loadPeer('audile-no-such-package' as 'ws', '8', 'engine'))
  expect(error).toBeInstanceOf(ParameterError)
  expect(error.code).toBe('invalid_parameter')
  expect(error.message).toBe(
    'engine - Invalid parameter: it needs the package audile-no-such-package; install it: npm install audile-no-such-package@8',
  )
  expect(await loadPeer('ws', '8', 'engine')).toHaveProperty('WebSocketServer')
})
