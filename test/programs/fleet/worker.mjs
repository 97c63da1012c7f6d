// A process that works for a fleet. Argument: JSON of the options of serveFleet.
import { serveFleet } from 'audile/fleet'

const worker = await serveFleet(JSON.parse(process.argv[2]))
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)))
