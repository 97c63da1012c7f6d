import { describe } from 'vitest'
import { speakOverSockets } from '../support/open.ts'

/** A part of the client's tests; client.slow.test.ts has more, `npm run test:socket` all of them. */
const PART = ['catalogs', 'ticket']

describe.each(PART)('over a socket, %s', async (name) => {
  speakOverSockets()
  // A second copy of the file, as the first one may have been loaded in this process.
  await import(/* @vite-ignore */ `../client/${name}.test.ts?over-sockets`)
})
