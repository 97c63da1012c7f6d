import { packetsOfPages, readOggPages } from './ogg-file.ts'
import type { KeptPart } from './pieces.ts'

/** What of the parts is no longer in a file, or no longer in its order. */
export function lostParts(kept: readonly KeptPart[], file: Buffer): string[] {
  const text = readable(file)
  const lost: string[] = []
  const places = new Map<string, number>()
  const replaced = new Map<string, number>()
  for (const { name, group, forms, replaceable } of kept) {
    const from = places.get(group) ?? 0
    const hits = forms
      .map((form) => ({ at: text.indexOf(form, from), length: form.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
    const [hit] = hits
    if (hit) places.set(group, hit.at + hit.length)
    else if (replaceable !== undefined && !replaced.has(replaceable)) replaced.set(replaceable, 1)
    else {
      const isElsewhere = forms.some((form) => text.includes(form))
      lost.push(
        `${name} (${forms[0]?.length} bytes) ${isElsewhere ? 'is out of order' : 'is lost'}`,
      )
    }
  }
  return lost
}

/** A file; of Ogg, the packets of its streams one after the other, and what stands behind them. */
function readable(file: Buffer): Buffer {
  const start = file.indexOf('OggS')
  if (start < 0 || !['OggS', 'ID3\x03', 'ID3\x04'].includes(file.toString('latin1', 0, 4)))
    return file
  const { pages, rest } = readOggPages(file.subarray(start))
  const serials = [...new Set(pages.map(({ serial }) => serial))]
  const packets = serials.flatMap((serial) =>
    packetsOfPages(pages.filter((page) => page.serial === serial)),
  )
  return Buffer.concat([file.subarray(0, start), ...packets, rest])
}
