import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Whole-process tests analyse real audio on machines of any speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
