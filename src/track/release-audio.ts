import type { TrackRoom } from './room.ts'

/**
 * Removes the kept copy of bytes that no track has any more; to be called after the transaction that
 * made it so. In that very transaction it could not be taken back: a full disk at its commit, or a
 * crash before, would leave a track without its bytes. In one of its own, so that nobody registers
 * the same bytes meanwhile.
 */
export function release(
  { store, spool, host }: Pick<TrackRoom, 'store' | 'spool' | 'host'>,
  md5: string,
): void {
  if (!spool.holds(md5)) return
  try {
    store.atomically(() => {
      if (!store.spools(md5)) spool.discard(md5)
    })
  } catch (error) {
    // Held open by another program, on Windows; it is swept at a later open.
    host.log('warn', `Could not remove the kept audio ${md5}.`, error)
  }
}
