import { main } from './evaluate.ts'

// npm run evaluate -- [--data DIR] [--only TEXT]
process.exitCode = await main(process.argv.slice(2))
