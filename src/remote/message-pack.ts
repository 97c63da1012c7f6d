/** Of lists and objects; no call and no answer comes near it. */
const MAX_NESTING = 100

/** Values of a fixed size, from 0xca on: the bytes after the first byte. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  ...{ 202: 4, 203: 8, 204: 1, 205: 2, 206: 4, 207: 8 },
  ...{ 208: 1, 209: 2, 210: 4, 211: 8 },
  ...{ 212: 2, 213: 3, 214: 5, 215: 9, 216: 17 },
}
/** Values with a length field: its bytes, and the bytes between it and the content. */
const LENGTH_FIELDS: Readonly<Record<number, readonly [length: 1 | 2 | 4, more: 0 | 1]>> = {
  ...{ 196: [1, 0], 197: [2, 0], 198: [4, 0] },
  ...{ 199: [1, 1], 200: [2, 1], 201: [4, 1] },
  ...{ 217: [1, 0], 218: [2, 0], 219: [4, 0] },
}

/**
 * Checks MessagePack values without making them: the lengths in a few bytes could take all memory.
 * https://github.com/msgpack/msgpack/blob/master/spec.md
 * @param maxContainers - lists and objects; each takes up to sixty times its byte
 * @returns why the values must not be decoded; `undefined` when they may be
 */
export function findFault(bytes: Uint8Array, maxContainers: number): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** Values that are still to come in each open list or object. */
  const remaining: number[] = []
  let containers = 0
  let offset = 0
  const readUnsigned = (size: 1 | 2 | 4): number => {
    const start = offset
    offset += size
    if (offset > bytes.length) return Number.POSITIVE_INFINITY
    return size === 1
      ? view.getUint8(start)
      : size === 2
        ? view.getUint16(start)
        : view.getUint32(start)
  }
  while (offset < bytes.length) {
    const kind = view.getUint8(offset++)
    let values: number | undefined
    if (kind >= 0x80 && kind < 0x90) values = 2 * (kind & 0x0f)
    else if (kind >= 0x90 && kind < 0xa0) values = kind & 0x0f
    else if (kind >= 0xa0 && kind < 0xc0) offset += kind & 0x1f
    else if (kind === 0xdc || kind === 0xdd) values = readUnsigned(kind === 0xdc ? 2 : 4)
    else if (kind === 0xde || kind === 0xdf) values = 2 * readUnsigned(kind === 0xde ? 2 : 4)
    else {
      const [length, more] = LENGTH_FIELDS[kind] ?? []
      if (length === undefined || more === undefined) offset += FIXED_SIZES[kind] ?? 0
      else {
        const content = readUnsigned(length)
        offset += content + more
      }
    }
    if (values !== undefined) {
      if (values > bytes.length - offset) return 'a list is longer than what came'
      if (++containers > maxContainers) return `more than ${maxContainers} lists and objects`
      if (remaining.length >= MAX_NESTING) return `lists or objects more than ${MAX_NESTING} deep`
      if (values > 0) {
        remaining.push(values)
        continue
      }
    }
    for (let top = remaining.length - 1; top >= 0; top--) {
      const valuesLeft = (remaining[top] as number) - 1
      remaining[top] = valuesLeft
      if (valuesLeft > 0) break
      remaining.pop()
    }
  }
  return offset > bytes.length || remaining.length > 0 ? 'it ends too early' : undefined
}
