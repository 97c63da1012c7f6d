import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { composedOf } from './material-composed.ts'
import { DrumRoom } from './material-kits.ts'
import { bytesOf } from './material-recording.ts'
import { MATERIAL_STYLES } from './material-styles.ts'
import { materialPiece } from './rhythm-material.ts'
import { STYLES, type Style, stylesOf } from './rhythm-styles.ts'
import { SoundfontBand } from './soundfont-band.ts'

/**
 * Makes pieces in compound metres, to try a model of rhythm on: of styles that training knows, and of
 * styles that it must never draw.
 *
 *   npx tsx test/programs/trainers/compound-recordings.ts --out DIR --soundfonts DIR [--samples DIR …]
 *     [--each 5] [--seed NAME]
 *
 * `ID.raw` and `ID.json` are as rhythm-material.ts writes them; half as many pieces of known styles.
 */
const UNHEARD = stylesOf(`
siciliana: 40-64, 4 beats, thirds, alone, tune
  bass x.....x..... x..x..x..x..
  chords ..o..o..o..o x..x..x..x..
  pad x -
tarantella: 132-176, 2 beats, thirds, band, tune
  cowbell .xx.xx x.xx.x -
  shaker xxxxxx xooxoo
  bass x. xx
  chords .xx.xx ..x..x x.xx.x
slow blues: 52-76, 4 beats, thirds, rock
  kick x.....x..... x....xx.....
  snare ...x.....x..
  ride xxxxxxxxxxxx x.xx.xx.xx.x
  bass x..x..x..x.. x.xx.xx.xx.x
  chords ..x..x..x..x x..........x
  pad x -
barcarolle: 44-72, 2 beats, thirds, alone, piano, freedom 0 0.02
  bass x..... x..x..
  broken .xx.xx xooxoo x.ox.o
six-eight soul: 60-96, 4 beats, thirds, mixed
  kick x.....x.x... x..x..x.....
  snare ...x.....x..
  hat xxxxxxxxxxxx xooxooxooxoo
  bass x....xx..x.. x.....x..x..
  chords xxxxxxxxxxxx x.....x.....
  broken xooxooxooxoo -
nine-eight ballad: 48-84, 3 beats, thirds, mixed
  kick x........ x.....x.. x..x.....
  snare ...x..x.. ......x..
  hat xooxooxoo xxxxxxxxx
  bass x........ x..x..x..
  chords x........ xooxooxoo
  broken xooxooxoo -
hop jig: 100-132, 3 beats, thirds, alone, tune
  chords - xxx x.xx.xx.x ..x..x..x
`)
const KNOWN = [...STYLES, ...MATERIAL_STYLES].filter(({ feel }) => feel === 'thirds')

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      out: { type: 'string' },
      soundfonts: { type: 'string' },
      samples: { type: 'string', multiple: true, default: [] },
      each: { type: 'string', default: '5' },
      seed: { type: 'string', default: '' },
    },
  })
  const { out, soundfonts } = values
  if (out === undefined || soundfonts === undefined)
    throw new Error('--out DIR or --soundfonts DIR is missing.')
  mkdirSync(out, { recursive: true })
  const studio = { band: new SoundfontBand(soundfonts), drums: new DrumRoom(values.samples) }
  const each = Number(values.each)
  const make = (source: string, styles: readonly Style[], count: number): void => {
    for (const style of styles)
      for (let i = 0; i < count; i++) {
        const id = `${values.seed}c${source.length}-${style.name.replaceAll(' ', '-')}-${i}`
        const piece = materialPiece(
          id,
          [{ weight: 1, score: (seconds, random) => composedOf(style, seconds, random) }],
          studio,
        )
        if (piece === undefined) continue
        writeFileSync(join(out, `${id}.raw`), bytesOf(piece.samples))
        writeFileSync(join(out, `${id}.json`), JSON.stringify({ ...piece.labels, source }))
      }
  }
  make('compound, unheard', UNHEARD, each)
  make('compound, known', KNOWN, Math.ceil(each / 2))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
