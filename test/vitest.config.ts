import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Milliseconds after which a test or a wait counts as hung: the one time-out of the tests, for a
 * number that fits one machine is reached on another that is ten times slower. Tests set no
 * time-outs of their own.
 */
export const HUNG = 10 * 60_000

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // `npm test` leaves out **/*.slow.test.ts, `npm run test:all` does not.
    include: ['test/**/*.test.ts'],
    testTimeout: HUNG,
    hookTimeout: HUNG,
    teardownTimeout: HUNG,
    // Before the test ends, so that the failure tells what was found instead.
    expect: { poll: { timeout: HUNG / 2 } },
    globalSetup: ['test/support/run-folder.ts'],
    // The files of a process share its modules: loading them anew for each file takes as long as
    // all quick tests do.
    isolate: false,
    // One less than the cores, as is usual, would be half of a machine that has two.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 90 },
    },
  },
})
