import { readFileSync, writeFileSync } from 'node:fs'
import { PAGES, withFigures } from './figures.ts'
import { takeReportPicture } from './pictures.ts'

// npm run figures [-- --pictures]: writes the figures that programs recorded, and takes the pictures.

for (const page of PAGES) writeFileSync(page, withFigures(readFileSync(page, 'utf8')))
if (process.argv.includes('--pictures')) console.log(await takeReportPicture())
