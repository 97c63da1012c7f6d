import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/**
 * The tests that a mutant of a room has to get past: each mutant runs those that reach it, so slow
 * ones that start processes or hear whole pieces are left out.
 */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: ['test/package/**', 'test/properties/**', 'test/analysis/**', 'test/audio/**'],
      // It compares a file with what is compiled from the source, which a mutant is not.
      testNamePattern: /^(?!.*the module is what the compiler makes)/,
    },
  }),
)
