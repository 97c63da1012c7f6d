import { benchSpeed } from './speed.ts'
import { benchWaiting } from './waiting.ts'

// npm run bench: every figure of speed that README states, printed in one run.
await benchWaiting()
await benchSpeed()
