// Radio: a mix that goes on for as long as one listens. The page keeps its state, so it survives a
// reload, and a restart of the player.

/** Tracks that are shown ahead of the one that plays. */
const AHEAD = 12
/** The catalog of taste that the page keeps. */
const NAME = 'Listening'

/** The catalog of what was heard and liked; it is made on the first day. */
export function tasteOf(music) {
  const name = NAME
  return music.catalogs.get({ name }).catch(() => music.catalogs.create({ name, type: 'song' }))
}

/**
 * What follows in a mix: a new one from `seed`, or that of a `state`, whose `played` ends with the
 * track that plays. `more`, `less` and `skip` steer it, from the next track on.
 *
 * @param {import('audile').Audile} music
 * @returns the steered state, which no step has left yet, and the steps that would follow
 */
export async function radio(music, { seed, state, more, less, skip }) {
  const mix = state ? await music.mixes.resume(state) : await started(music, seed)
  if (more) mix.more(more)
  if (less) mix.less(less)
  if (skip) mix.skip()
  const steered = mix.state()
  const steps = []
  while (steps.length < AHEAD) {
    const step = await mix.next()
    if (!step) break
    steps.push({ id: step.track.id, reasons: step.reasons })
  }
  return { state: steered, steps, ended: mix.ended?.message }
}

/** A mix from a track, an artist, an album, a mood, or from the taste of the listener. */
async function started(music, seed) {
  const catalog = await tasteOf(music)
  const seeds = seed === 'taste' ? catalog : seed
  return music.mixes.create({ seeds, avoid: { catalog } }) // without what was banned
}
