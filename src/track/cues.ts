import { z } from 'zod'
import { type Cues, cues as cuesOf } from '../analysis/cues/cues.ts'
import { method } from '../kernel/method.ts'
import { analysis } from './analysis.ts'
import { trackReference } from './find-track.ts'

/** `track/cues` (ours): the cues and phrases of a track, from its document with all corrections. */
export const cues = method({
  name: 'track/cues',
  parameters: z.strictObject(trackReference),
  async run(...given: Parameters<typeof analysis.run>): Promise<Cues> {
    return cuesOf(await analysis.run(...given))
  },
})
