/** In milliseconds. A worker that reports nothing for long counts as stuck. */
const INTERVAL = 200

/** Reports progress from 0 to 1, a few times a second at most. */
export function occasionally(onProgress: (progress: number) => void) {
  let last = 0
  return (progress: () => number): void => {
    const now = Date.now()
    if (now - last < INTERVAL) return
    last = now
    onProgress(progress())
  }
}
