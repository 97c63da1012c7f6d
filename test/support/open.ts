import { onTestFinished } from 'vitest'
import { Audile } from '../../src/audile.ts'
import type { AudileOptions } from '../../src/options.ts'

/** An engine on this thread, closed when the running test is. */
export async function openInline(options: Partial<AudileOptions> = {}): Promise<Audile> {
  const music = await Audile.open({
    database: ':memory:',
    engine: 'inline',
    workers: 0,
    ...options,
  })
  onTestFinished(() => music.close())
  return music
}
