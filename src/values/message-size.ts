/**
 * The size of a large call, in bytes. Hundreds of imports at once would fill the memory with
 * messages that the engine has not read, so large calls wait for each other.
 */
export const LARGE = 64_000
/** Large calls that run at once; the engine works on one at a time. */
export const LARGE_AT_ONCE = 4

/**
 * Estimates how many bytes a value takes in a message between threads.
 *
 * @param enough - counting stops above this size
 */
export function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return value.byteLength
  let size = 16
  for (const key in value) {
    if (size > enough) break
    size += key.length + sizeOf((value as Record<string, unknown>)[key], enough - size)
  }
  return size
}
