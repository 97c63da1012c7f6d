import { openEngine } from './engine/engine.ts'
import { runEngine } from './engine/thread.ts'
import { connectOther } from './remote/other-engine.ts'

// The script of the engine's thread; see engine/thread.ts for both ends of the boundary. The sockets to
// references that other processes serve are the thread's own: no other thread waits for their bytes.
runEngine((config, services) => openEngine(config, { ...services, connect: connectOther }))
