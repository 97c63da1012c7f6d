import { main } from './evaluate.ts'

// npm run evaluate -- [--data DIR] [--only TEXT] [--robustness]
// npm run evaluate -- --ident DIR [--seeds 1,2] [--degrade SCRIPT] [--chroma] [--whole N]
process.exitCode = await main(process.argv.slice(2))
