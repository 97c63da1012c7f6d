import { main } from './evaluate.ts'

// npm run evaluate -- [--data DIR] [--only TEXT] [--robustness]
process.exitCode = await main(process.argv.slice(2))
