import { openEngine } from './engine.ts'
import { runEngine } from './thread.ts'

// The script of the engine's thread; see thread.ts for both ends of the boundary.
runEngine(openEngine)
