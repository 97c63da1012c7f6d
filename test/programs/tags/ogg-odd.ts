import type { Dice } from '../hostile/dice.ts'
import { type OggPageParts, type OggSound, oggPageBytes, oggStream } from './ogg-file.ts'
import { type KeptPart, keptPiece, type Piece } from './pieces.ts'
import { isChosen } from './texts.ts'

/** A stream that says what the others hold: one page that begins it, one that ends it. */
function skeletonPages(serial: number): OggPageParts[] {
  const head = Buffer.alloc(64)
  head.write('fishead\0')
  head.writeUInt16LE(3, 8)
  const page = { granule: 0n, serial, lacing: Buffer.of(64), body: head }
  return [
    { ...page, flags: 2, sequence: 0 },
    { ...page, flags: 4, sequence: 1, lacing: Buffer.of(0), body: Buffer.alloc(0) },
  ]
}

type Oddity = 'none' | 'chained' | 'multiplexed' | 'skeleton' | 'wrong serial' | 'wrong checksum'

function arranged(
  dice: Dice,
  sound: OggSound,
  oddity: Oddity,
): { pages: OggPageParts[]; kept: readonly KeptPart[]; names: string[] } {
  const serial = dice.between(1, 0x7fffff00)
  const main = oggStream(dice, sound, { serial })
  if (oddity === 'chained') {
    const second = oggStream(dice, sound, { serial: serial + 1 })
    return { ...main, pages: [...main.pages, ...second.pages] }
  }
  if (oddity === 'multiplexed') {
    const other = oggStream(dice, sound, { serial: serial ^ 1 })
    const [first, ...left] = main.pages as [OggPageParts, ...OggPageParts[]]
    const [otherFirst, ...otherLeft] = other.pages as [OggPageParts, ...OggPageParts[]]
    const longest = Math.max(left.length, otherLeft.length)
    const mixed = Array.from({ length: longest }, (_, i) => [left[i], otherLeft[i]]).flat()
    const pages = [first, otherFirst, ...mixed.filter((page) => page !== undefined)]
    return { ...main, pages }
  }
  if (oddity === 'skeleton') {
    const [begin, end] = skeletonPages(serial ^ 2) as [OggPageParts, OggPageParts]
    const [first, ...left] = main.pages as [OggPageParts, ...OggPageParts[]]
    return { ...main, pages: [begin, first, end, ...left] }
  }
  if (oddity === 'wrong serial') {
    const pages = main.pages.map((page, i) => (i === 1 ? { ...page, serial: serial ^ 4 } : page))
    return { ...main, pages, kept: [] }
  }
  return main
}

/** A file of Ogg, whose parts are those of its packets. */
export function oggFile(
  dice: Dice,
  sound: OggSound,
  isOdd: boolean,
): { piece: Piece; names: string[] } {
  const oddity: Oddity = isOdd
    ? dice.pick(['chained', 'multiplexed', 'skeleton', 'wrong serial', 'wrong checksum'] as const)
    : 'none'
  const { pages, kept, names } = arranged(dice, sound, oddity)
  const written = pages.map(oggPageBytes)
  if (oddity === 'wrong checksum') {
    const page = dice.pick(written)
    page[22] = (page[22] ?? 0) ^ 1
  }
  const trailing = isChosen(dice, 0.08) ? dice.bytes(40) : Buffer.alloc(0)
  if (trailing.length > 0) names.push('trailing bytes')
  const end = keptPiece('trailing bytes', 'end', trailing)
  const bytes = Buffer.concat([...written, trailing])
  return { piece: { bytes, kept: [...kept, ...end.kept] }, names: [oddity, ...names] }
}
