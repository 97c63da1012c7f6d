import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { requestObject } from '../../src/fleet/object-request.ts'

it('a refusal without an end is read as far as it is told', async () => {
  const server = createServer((_, response) => {
    response.writeHead(403)
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(10_000, 'x')
      })(),
    )
    endless.pipe(response).on('close', () => endless.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const error = await requestObject('PUT', 'results/1', { url }).catch((error: unknown) => error)
  expect(error).toMatchObject({
    status: 403,
    message: expect.stringMatching(/^PUT results\/1: 403 .*x{500}$/),
  })
})
