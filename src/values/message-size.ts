/** Bytes: hundreds of large calls at once would fill the memory, so they wait for each other. */
export const LARGE_MESSAGE_BYTES = 64_000
/** The engine works on one at a time. */
export const CONCURRENT_LARGE_CALLS = 4

/**
 * In a message between threads.
 * @param maxBytes - counting stops above this size
 */
export function estimateBytes(value: unknown, maxBytes: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return value.byteLength
  let size = 16
  for (const key in value) {
    if (size > maxBytes) break
    size += key.length + estimateBytes((value as Record<string, unknown>)[key], maxBytes - size)
  }
  return size
}

export function isLargeMessage(value: unknown): boolean {
  return estimateBytes(value, LARGE_MESSAGE_BYTES) > LARGE_MESSAGE_BYTES
}
