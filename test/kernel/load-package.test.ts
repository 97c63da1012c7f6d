import { expect, it } from 'vitest'
import { loadPeer } from '../../src/kernel/load-package.ts'
import { ParameterError } from '../../src/values/errors.ts'
import { failure } from '../support/failure.ts'

it('says which option needs an optional package, and how it is installed', async () => {
  const error = await failure(loadPeer('audile-no-such-package' as 'ws', 'engine'))
  expect(error).toBeInstanceOf(ParameterError)
  expect(error.code).toBe('invalid_parameter')
  expect(error.message).toContain(
    'engine - Invalid parameter: it needs the package audile-no-such-package; install it: npm install audile-no-such-package',
  )
  expect(await loadPeer('ws', 'engine')).toHaveProperty('WebSocketServer')
})
