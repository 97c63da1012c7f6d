import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The tests that the mutants at hand have to get past; `main.ts` says which. */
const tests = JSON.parse(process.env.MUTATION_TESTS ?? '["test/**/*.test.ts"]') as string[]

/** Only Stryker's own limit ends a mutant that hangs: what a busy machine delays has not failed. */
const HOURS = 3_600_000

const SLOW = ['**/*.slow.test.ts']

export default defineConfig({
  // Nothing of one change is to be left for the next.
  test: {
    ...base.test,
    isolate: true,
    // Least of all what one change heard: without its folder, hearOnce() does nothing.
    globalSetup: [],
    include: tests,
    exclude: SLOW,
    testTimeout: HOURS,
    hookTimeout: HOURS,
  },
})
