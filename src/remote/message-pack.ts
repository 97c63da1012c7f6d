/** The deepest nesting of lists and objects; no call and no answer comes near it. */
const MOST_DEPTH = 100

/** For values of a fixed size, from 0xca on: the bytes after the first byte. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 202: 4, 203: 8, 204: 1, 205: 2, 206: 4, 207: 8 },
  ...{ 208: 1, 209: 2, 210: 4, 211: 8 },
  ...{ 212: 2, 213: 3, 214: 5, 215: 9, 216: 17 },
}
/** For values with a length field: its bytes, and the bytes between it and the content. */
const MEASURED: Readonly<Record<number, readonly [length: 1 | 2 | 4, more: 0 | 1]>> = {
  ...{ 196: [1, 0], 197: [2, 0], 198: [4, 0] },
  ...{ 199: [1, 1], 200: [2, 1], 201: [4, 1] },
  ...{ 217: [1, 0], 218: [2, 0], 219: [4, 0] },
}

/**
 * Checks a run of MessagePack values without making them. A decoder makes a list of the written
 * length before it knows whether that many values follow: a few bytes could take all memory.
 * https://github.com/msgpack/msgpack/blob/master/spec.md
 *
 * @param mostContainers - the most lists and objects; each takes up to sixty times its byte
 * @returns why the values must not be decoded; `undefined` when they may be
 */
export function faultOf(bytes: Uint8Array, mostContainers: number): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** Values that are still to come in each open list or object. */
  const open: number[] = []
  let containers = 0
  let at = 0
  const unsigned = (size: 1 | 2 | 4): number => {
    const from = at
    at += size
    if (at > bytes.length) return Number.POSITIVE_INFINITY
    return size === 1
      ? view.getUint8(from)
      : size === 2
        ? view.getUint16(from)
        : view.getUint32(from)
  }
  while (at < bytes.length) {
    const kind = view.getUint8(at++)
    let values: number | undefined
    if (kind >= 0x80 && kind < 0x90) values = 2 * (kind & 0x0f)
    else if (kind >= 0x90 && kind < 0xa0) values = kind & 0x0f
    else if (kind >= 0xa0 && kind < 0xc0) at += kind & 0x1f
    else if (kind === 0xdc || kind === 0xdd) values = unsigned(kind === 0xdc ? 2 : 4)
    else if (kind === 0xde || kind === 0xdf) values = 2 * unsigned(kind === 0xde ? 2 : 4)
    else {
      const [length, more] = MEASURED[kind] ?? []
      if (length === undefined || more === undefined) at += FIXED[kind] ?? 0
      else {
        const content = unsigned(length)
        at += content + more
      }
    }
    if (values !== undefined) {
      if (values > bytes.length - at) return 'a list is longer than what came'
      if (++containers > mostContainers) return `more than ${mostContainers} lists and objects`
      if (open.length >= MOST_DEPTH) return `lists or objects more than ${MOST_DEPTH} deep`
      if (values > 0) {
        open.push(values)
        continue
      }
    }
    for (let top = open.length - 1; top >= 0; top--) {
      const left = (open[top] as number) - 1
      open[top] = left
      if (left > 0) break
      open.pop()
    }
  }
  return at > bytes.length || open.length > 0 ? 'it ends too early' : undefined
}
