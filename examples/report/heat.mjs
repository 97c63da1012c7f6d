// Makes heat maps as small PNG images inside the page, in colours that all eyes can tell apart.
import { deflateSync } from 'node:zlib'

/** From low to high: the viridis scale, whose lightness rises evenly. */
const SCALE = '440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725'
  .split(' ')
  .map((hex) => [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)))

const PALETTE = Buffer.from(
  Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (SCALE.length - 1)
    const low = SCALE[Math.floor(at)]
    const high = SCALE[Math.ceil(at)]
    return low.map((c, k) => Math.round(c + (at % 1) * (high[k] - c)))
  }).flat(),
)

/** The scale as the stops of a CSS gradient. */
export const SCALE_STOPS = SCALE.map((rgb) => `rgb(${rgb.join(' ')})`).join(', ')

/**
 * @param {number} width columns
 * @param {number} height rows, the first one on top
 * @param {(column: number, row: number) => number} value 0…1
 * @returns {string} a data URL
 */
export function heatMap(width, height, value) {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const v = Math.min(1, Math.max(0, value(x, y)))
      rows[y * (width + 1) + 1 + x] = Math.round(255 * v)
    }
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  // Eight bits a pixel, each an index of the palette.
  size.set([8, 3], 8)
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('PLTE', PALETTE),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(4 + named.length + 4)
  frame.writeUInt32BE(content.length, 0)
  frame.set(named, 4)
  frame.writeUInt32BE(crc(named), 4 + named.length)
  return frame
}

/** The checksum that PNG asks for (CRC-32). */
function crc(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let k = 0; k < 8; k++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
