/** A packet of an Ogg stream, and the granule position at its end. */
export interface OggPacket {
  bytes: Uint8Array
  granule: bigint
}

/** An Ogg page (RFC 3533) as it is to be written; its checksum is made right. */
export interface WrittenPage {
  /** 1 continued, 2 begins, 4 ends. */
  flags: number
  granule: bigint
  sequence: number
  lacing: readonly number[]
  body: Uint8Array
}

export const SERIAL = 0x61756469
const NO_PACKET_ENDS = -1n

export function pageBytes(page: WrittenPage): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = page.flags
  head.writeBigInt64LE(page.granule, 6)
  head.writeUInt32LE(SERIAL, 14)
  head.writeUInt32LE(page.sequence, 18)
  head[26] = page.lacing.length
  const bytes = Buffer.concat([head, Buffer.from(page.lacing), page.body])
  bytes.writeUInt32LE(oggChecksum(bytes), 22)
  return bytes
}

/** Makes the checksum of the page that stands at `at` right, after it was changed. */
export function repairPage(file: Buffer, at: number): void {
  const segments = file[at + 26] ?? 0
  const lacing = file.subarray(at + 27, at + 27 + segments)
  const end = at + 27 + segments + lacing.reduce((sum, length) => sum + length, 0)
  const page = file.subarray(at, end)
  page.writeUInt32LE(0, 22)
  page.writeUInt32LE(oggChecksum(page), 22)
}

/** The pages of one stream: the first packet alone, the other headers together, then the sound. */
export function oggPages(
  packets: readonly OggPacket[],
  { headers, perPage = 40 }: { headers: number; perPage?: number },
): Buffer[] {
  const pages: WrittenPage[] = []
  const groups = [packets.slice(0, 1), packets.slice(1, headers)]
  for (let i = headers; i < packets.length; i += perPage) groups.push(packets.slice(i, i + perPage))
  for (const group of groups) addGroup(pages, group)
  const last = pages.at(-1)
  if (last) last.flags |= 4
  return pages.map(pageBytes)
}

function addGroup(pages: WrittenPage[], group: readonly OggPacket[]): void {
  let lacing: number[] = []
  let parts: Uint8Array[] = []
  let granule = NO_PACKET_ENDS
  let continued = false
  const close = (goesOn: boolean) => {
    if (lacing.length === 0) return
    const flags = (continued ? 1 : 0) | (pages.length === 0 ? 2 : 0)
    pages.push({ flags, granule, sequence: pages.length, lacing, body: Buffer.concat(parts) })
    lacing = []
    parts = []
    granule = NO_PACKET_ENDS
    continued = goesOn
  }
  for (const packet of group) {
    for (let at = 0; at <= packet.bytes.length; at += 255) {
      if (lacing.length === 255) close(at > 0)
      const piece = packet.bytes.subarray(at, at + 255)
      lacing.push(piece.length)
      parts.push(piece)
    }
    granule = packet.granule
  }
  close(false)
}

/** The packets of an intact Ogg file with one stream. */
export function packetsOf(file: Uint8Array): OggPacket[] {
  const packets: OggPacket[] = []
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let open: Uint8Array[] = []
  for (let at = 0; at + 27 <= file.length; ) {
    const lacing = file.subarray(at + 27, at + 27 + (file[at + 26] ?? 0))
    const granule = view.getBigInt64(at + 6, true)
    at += 27 + lacing.length
    for (const length of lacing) {
      open.push(file.subarray(at, at + length))
      at += length
      if (length === 255) continue
      packets.push({ bytes: Buffer.concat(open), granule })
      open = []
    }
  }
  return packets
}

/** Where the pages of a file that holds nothing else begin. */
export function pageStarts(file: Uint8Array): number[] {
  const starts: number[] = []
  for (let at = 0; at + 27 <= file.length; ) {
    starts.push(at)
    const lacing = file.subarray(at + 27, at + 27 + (file[at + 26] ?? 0))
    at += 27 + lacing.length + lacing.reduce((sum, length) => sum + length, 0)
  }
  return starts
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++)
    value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})

function oggChecksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ (TABLE[((crc >>> 24) ^ byte) & 255] ?? 0)
  return crc >>> 0
}
