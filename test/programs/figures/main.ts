import { readFileSync, writeFileSync } from 'node:fs'
import { FILLED, withFigures } from './figures.ts'

// npm run figures: writes the figures that programs recorded into the documents that have templates.

for (const file of FILLED) writeFileSync(file, withFigures(readFileSync(file, 'utf8')))
