import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // Whole-process tests analyse real audio on machines of any speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
