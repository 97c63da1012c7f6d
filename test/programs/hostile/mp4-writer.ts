/** One sound track of an MP4 file. */
export interface Mp4Sound {
  /** The stsd atom, head included. */
  descriptions: Uint8Array
  sampleRate: number
  /** Samples per channel in each packet. */
  packetFrames: number
  packets: readonly Uint8Array[]
}

/** How it is put into a file. */
export interface Mp4Options {
  /** The tables behind the sound, as cameras write them. */
  tablesLast?: boolean
  /** Atoms at the end of the moov. */
  extra?: readonly Uint8Array[]
}

const u32 = (...values: number[]) => words(values)

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i)
  return bytes
}

/** An atom with a 32-bit size. */
export function atom(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** An MP4 file (ISO/IEC 14496-12) with one sound track in one chunk. */
export function mp4Of(sound: Mp4Sound, { tablesLast = false, extra = [] }: Mp4Options = {}) {
  const { packets } = sound
  const start = atom('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
  const data = atom('mdat', Buffer.concat(packets))
  const length = moov(sound, 0, extra).length
  const chunk = start.length + 8 + (tablesLast ? 0 : length)
  const tables = moov(sound, chunk, extra)
  const bytes = Buffer.concat(tablesLast ? [start, data, tables] : [start, tables, data])
  let end = chunk
  const units = packets.map((packet, i) => {
    end += packet.length
    return { end, frames: (i + 1) * sound.packetFrames }
  })
  return { bytes, units }
}

function moov(sound: Mp4Sound, chunk: number, extra: readonly Uint8Array[]): Buffer {
  const { packets, packetFrames, sampleRate, descriptions } = sound
  const frames = packets.length * packetFrames
  const table = atom(
    'stbl',
    descriptions,
    atom('stts', u32(0, 1, packets.length, packetFrames)),
    atom('stsc', u32(0, 1, 1, packets.length, 1)),
    atom('stsz', u32(0, 0, packets.length), words(packets.map(({ length }) => length))),
    atom('stco', u32(0, 1, chunk)),
  )
  const handler = atom('hdlr', u32(0, 0), Buffer.from('soun'), Buffer.alloc(13))
  const media = atom(
    'mdia',
    atom('mdhd', u32(0, 0, 0, sampleRate, frames, 0x55c40000)),
    handler,
    atom('minf', atom('smhd', u32(0, 0)), table),
  )
  const matrix = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 1_073_741_824)
  const track = atom(
    'trak',
    atom('tkhd', u32(7, 0, 0, 1, 0, frames, 0, 0, 0, 0x01000000), matrix, u32(0, 0)),
    media,
  )
  const head = atom(
    'mvhd',
    u32(0, 0, 0, sampleRate, frames, 65_536, 0x01000000, 0, 0),
    matrix,
    Buffer.alloc(24),
    u32(2),
  )
  return atom('moov', head, track, ...extra)
}

/** The sound of an intact MP4 file whose tables say where each packet is. */
export function soundOf(file: Buffer, packetFrames: number, sampleRate: number): Mp4Sound {
  const table = (type: string) => {
    const at = file.indexOf(type) - 4
    return file.subarray(at, at + file.readUInt32BE(at))
  }
  const sizes = table('stsz')
  const offsets = table('stco')
  const groups = table('stsc')
  const packets: Buffer[] = []
  const count = groups.readUInt32BE(12)
  for (let chunk = 0; chunk < offsets.readUInt32BE(12); chunk++) {
    let perChunk = 0
    for (let g = 0; g < count; g++) {
      if (groups.readUInt32BE(16 + 12 * g) <= chunk + 1) perChunk = groups.readUInt32BE(20 + 12 * g)
    }
    let at = offsets.readUInt32BE(16 + 4 * chunk)
    for (let i = 0; i < perChunk && packets.length < sizes.readUInt32BE(16); i++) {
      const size = sizes.readUInt32BE(12) || sizes.readUInt32BE(20 + 4 * packets.length)
      packets.push(file.subarray(at, at + size))
      at += size
    }
  }
  return { descriptions: table('stsd'), sampleRate, packetFrames, packets }
}
