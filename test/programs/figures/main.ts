import { readFileSync, writeFileSync } from 'node:fs'
import { PAGES, withFigures } from './figures.ts'

// npm run figures: writes the figures that programs recorded into examples/figures.md.

for (const page of PAGES) writeFileSync(page, withFigures(readFileSync(page, 'utf8')))
