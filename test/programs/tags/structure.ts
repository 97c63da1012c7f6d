import { chunkPlaces } from './mp4-boxes.ts'
import { readOggPages } from './ogg-file.ts'

/** What was right in the structure of a file before a write, and is wrong behind it. */
export function structureFlaws(before: Buffer, after: Buffer): string[] {
  const kind = before.toString('latin1', 0, 4)
  if (kind === 'RIFF' || kind === 'RF64' || kind === 'FORM') return chunkFlaws(before, after)
  if (kind === 'OggS') return oggFlaws(before, after)
  if (kind === 'fLaC') return flacFlaws(before, after)
  if (['ftyp', 'moov', 'mdat', 'free', 'skip'].includes(before.toString('latin1', 4, 8)))
    return mp4Flaws(before, after)
  return []
}

/** The size that the first chunk names, less the bytes that are in it. */
function sizeError(file: Buffer): number {
  const kind = file.toString('latin1', 0, 4)
  if (kind === 'RF64') return Number(file.readBigUInt64LE(20)) + 8 - file.length
  return (kind === 'FORM' ? file.readUInt32BE(4) : file.readUInt32LE(4)) + 8 - file.length
}

function chunkFlaws(before: Buffer, after: Buffer): string[] {
  if (before.toString('latin1', 0, 4) !== after.toString('latin1', 0, 4))
    return ['another container']
  const [old, now] = [sizeError(before), sizeError(after)]
  // Bytes behind the last chunk stay outside; a zero may come before what is added.
  return now === old || (old < 0 && now <= 0) ? [] : [`the outer size is off by ${now}, was ${old}`]
}

/** Kinds and contents of the blocks of FLAC, but comments and padding. */
function flacBlocks(file: Buffer): string[] {
  const blocks: string[] = []
  let at = 4
  for (let isLast = false; !isLast && at + 4 <= file.length; ) {
    const type = (file[at] as number) & 0x7f
    isLast = (file[at] as number) >= 0x80
    const end = at + 4 + file.readUIntBE(at + 1, 3)
    if (type !== 1 && type !== 4) blocks.push(`${type}:${file.toString('base64', at + 4, end)}`)
    at = end
  }
  blocks.push(file.toString('base64', at))
  return blocks
}

function flacFlaws(before: Buffer, after: Buffer): string[] {
  const [old, now] = [flacBlocks(before), flacBlocks(after)]
  return old.join() === now.join() ? [] : ['other blocks or other sound behind them']
}

/** The samples that the tables of an MP4 file point to. */
function mp4Flaws(before: Buffer, after: Buffer): string[] {
  const places = (file: Buffer) => {
    try {
      return chunkPlaces(file)
    } catch {
      return undefined
    }
  }
  const [old, now] = [places(before), places(after)]
  if (!old) return []
  if (!now) return ['its tables of chunks cannot be read']
  if (old.map(({ length }) => length).join() !== now.map(({ length }) => length).join())
    return ['other tables of chunks']
  const isMoved = old.some((table, t) =>
    table.some((place, i) => {
      const to = now[t]?.[i] ?? 0
      return !before.subarray(place, place + 24).equals(after.subarray(to, to + 24))
    }),
  )
  return isMoved ? ['a table of chunks points to other bytes'] : []
}

function oggFlaws(before: Buffer, after: Buffer): string[] {
  const [old, now] = [readOggPages(before), readOggPages(after)]
  const flaws: string[] = []
  const wrong = (pages: typeof old.pages) => pages.filter(({ isSound }) => !isSound).length
  if (wrong(now.pages) > wrong(old.pages)) flaws.push('pages with wrong checksums')
  if (!old.rest.equals(now.rest)) flaws.push('bytes behind the last page changed')
  for (const serial of new Set(old.pages.map((page) => page.serial))) {
    const of = (pages: typeof old.pages) => pages.filter((page) => page.serial === serial)
    const [was, is] = [of(old.pages), of(now.pages)]
    const inOrder = (pages: typeof was) =>
      pages.every(({ sequence }, i) => i === 0 || sequence === (pages[i - 1]?.sequence ?? 0) + 1)
    if (inOrder(was) && !inOrder(is)) flaws.push('numbers of pages have gaps')
    const sound = (pages: typeof was) =>
      pages
        .filter(({ granule }) => granule > 0n)
        .map(({ flags, granule, lacing, body }) =>
          [flags, granule, lacing.toString('hex'), body.toString('base64')].join(),
        )
    if (sound(was).join(';') !== sound(is).join(';')) flaws.push('pages of sound changed')
  }
  return flaws
}
