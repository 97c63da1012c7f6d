import { benchFingerprints } from './fingerprints.ts'
import { benchIdentify } from './identify.ts'
import { benchSpeed } from './speed.ts'
import { benchWaiting } from './waiting.ts'

// npm run bench: every figure of speed that README states, printed in one run.
await benchWaiting()
await benchSpeed()
await benchFingerprints()
await benchIdentify(sizesOf(process.argv.slice(2)))

/** `npm run bench -- --songs 100000` adds an index of that size; it takes minutes to build. */
function sizesOf(argv: readonly string[]): number[] {
  const at = argv.indexOf('--songs')
  return [10_000, ...(at < 0 ? [] : [Number(argv[at + 1])])]
}
