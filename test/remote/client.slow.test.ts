import { describe } from 'vitest'
import { speakOverSockets } from '../support/open.ts'

/** What takes long over a socket too: uploads, analyses, large updates. */
const PART = ['catalog', 'tracks']

describe.each(PART)('over a socket, %s', async (name) => {
  speakOverSockets()
  // A second copy of the file, as the first one may have been loaded in this process.
  await import(/* @vite-ignore */ `../client/${name}.test.ts?over-sockets`)
})
