import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/**
 * The tests that a mutant has to get past: those of the rooms that are measured. Tests that start
 * processes or hear whole pieces would find some more, but a run of them takes a minute.
 */
export default defineConfig({
  test: {
    ...base.test,
    include: [
      'test/artist/**/*.test.ts',
      'test/catalog/**/*.test.ts',
      'test/client/{catalog,catalogs,limits,search,ticket}.test.ts',
      'test/fingerprint/**/*.test.ts',
      'test/song/**/*.test.ts',
    ],
    // It compares a file with what is compiled from the source, which a mutant is not.
    testNamePattern: /^(?!.*the module is what the compiler makes)/,
  },
})
