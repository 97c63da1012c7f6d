import { readFileSync, writeFileSync } from 'node:fs'
import { withFigures } from './figures.ts'

// npm run figures: writes the figures that programs recorded into README.

const README = new URL('../../../README.md', import.meta.url)

writeFileSync(README, withFigures(readFileSync(README, 'utf8')))
