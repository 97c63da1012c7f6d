import { env, exit } from 'node:process'

// The engine's thread, which ends without a word so many milliseconds after it began.
await import('./dist/engine.js' as string)
setTimeout(() => exit(7), Number(env.TORTURE_ENGINE_LIVES))
