import { openEngine } from './engine/engine.ts'
import { runEngine } from './engine/thread.ts'
import { connectOther } from './remote/other-engine.ts'

// The script of the engine's thread; engine/thread.ts has both ends of the boundary. It holds the
// sockets to references that other processes serve: no other thread waits for their bytes.
runEngine((config, services) => openEngine(config, { ...services, connect: connectOther }))
