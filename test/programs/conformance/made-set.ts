import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Written } from './compare.ts'
import { requirePrograms } from './ffmpeg.ts'
import { inLanes } from './lanes.ts'
import { flacRecipes } from './made-flac.ts'
import { lossyRecipes } from './made-lossy.ts'
import { pcmRecipes } from './made-pcm.ts'
import { tagRecipes } from './made-tags.ts'
import { type Recipe, Studio } from './studio.ts'

/** All files of the set. */
export function recipes(): Recipe[] {
  return [...flacRecipes(), ...pcmRecipes(), ...lossyRecipes(), ...tagRecipes()]
}

/**
 * Makes the set in a folder, by the programs of the host.
 *
 * @returns what was written into the tags, by the path of the file
 */
export async function makeSet(
  folder: string,
  seed: number,
  jobs: number,
): Promise<ReadonlyMap<string, Written>> {
  await requirePrograms(['ffmpeg', 'flac', 'sox', 'lame', 'opusenc', 'oggenc'])
  const own = mkdtempSync(join(tmpdir(), 'audile-conformance-'))
  const written = new Map<string, Written>()
  try {
    const studio = new Studio(own, seed)
    await inLanes(recipes(), jobs, async (recipe) => {
      const path = join(folder, recipe.name)
      mkdirSync(dirname(path), { recursive: true })
      await recipe.make(studio, path)
      if (recipe.written) written.set(path, recipe.written)
    })
    return written
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
