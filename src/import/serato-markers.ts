import type { GridAnchor } from '../analysis/correction/grid-anchors.ts'
import { latin1, viewOf } from '../audio/bytes.ts'
import { type CollectedTrack, colourOf, MAX_COLLECTED } from './collected-track.ts'

/** With what cannot be read, in words. */
export interface SeratoMarkers {
  grid: GridAnchor[]
  cues: CollectedTrack['cues']
  colour?: string | undefined
  faults: string[]
}

/**
 * Each marker begins a bar, as in J. Holthuis, "serato-tags".
 *
 * @returns the fault, in words, where the bytes are something else
 */
export function parseBeatGrid(bytes: Uint8Array): GridAnchor[] | string {
  const view = viewOf(bytes)
  if (bytes.length < 6 || view.getUint16(0) !== 0x01_00) return 'a beat grid is of another version'
  const count = view.getUint32(2)
  if (count >= MAX_COLLECTED) return 'a beat grid has too many markers'
  if (bytes.length < 6 + 8 * count) return 'a beat grid is cut off'
  return Array.from({ length: count }, (_, i) => {
    const offset = 6 + 8 * i
    const time = view.getFloat32(offset)
    const isLast = i === count - 1
    const tempo = isLast
      ? view.getFloat32(offset + 4)
      : (60 * view.getUint32(offset + 4)) / (view.getFloat32(offset + 8) - time)
    // A tempo of 32 bits ends in noise.
    return { time, tempo: isLast ? Number(tempo.toPrecision(7)) : tempo, place: 1 }
  })
}

/** Hot cues, loops and the colour of the track. */
export function parseMarkers2(bytes: Uint8Array): Omit<SeratoMarkers, 'grid'> {
  const cues: CollectedTrack['cues'] = []
  const loops: CollectedTrack['cues'] = []
  const faults: string[] = []
  let colour: string | undefined
  const data = markersContent(bytes)
  if (!data) return { cues, faults: ['markers are of another version'] }
  const view = viewOf(data)
  let position = 2
  while (position < data.length && data[position] !== 0) {
    const nameEnd = data.indexOf(0, position)
    const start = nameEnd + 5
    const length = nameEnd < 0 || start > data.length ? Infinity : view.getUint32(nameEnd + 1)
    const end = start + length
    if (end > data.length) {
      faults.push('markers are cut off')
      break
    }
    const name = latin1(data, position, nameEnd - position)
    const entry = data.subarray(start, end)
    if (cues.length + loops.length >= MAX_COLLECTED) break
    if (name === 'CUE' && entry.length >= 12) cues.push(seratoCueOf(entry))
    else if (name === 'LOOP' && entry.length >= 20) loops.push(seratoLoopOf(entry))
    else if (name === 'COLOR' && entry.length >= 4) colour = colourOf(entry[1], entry[2], entry[3])
    else if (name !== 'BPMLOCK') faults.push(`markers have an entry ${JSON.stringify(name)}`)
    position = end
  }
  return { cues: [...cues, ...loops], colour, faults }
}

function seratoCueOf(entry: Uint8Array): CollectedTrack['cues'][number] {
  return {
    pad: entry[1]!,
    time: viewOf(entry).getUint32(2) / 1000,
    name: textUntilNul(entry.subarray(12)),
    colour: colourOf(entry[7], entry[8], entry[9]),
  }
}

function seratoLoopOf(entry: Uint8Array): CollectedTrack['cues'][number] {
  const view = viewOf(entry)
  return {
    pad: entry[1]!,
    time: view.getUint32(2) / 1000,
    end: view.getUint32(6) / 1000,
    name: textUntilNul(entry.subarray(20)),
    colour: colourOf(entry[15], entry[16], entry[17]),
  }
}

function textUntilNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Colours of cues are used from version 1.1 on. */
function markersContent(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 1 || bytes[1] !== 1) return undefined
  const end = bytes.indexOf(0, 2)
  const data = fromPlainBase64(latin1(bytes.subarray(2, end < 0 ? bytes.length : end)))
  return data[0] === 1 && data[1] === 1 ? data : undefined
}

/** Serato leaves out padding, also of a single sign. */
export function fromPlainBase64(text: string): Uint8Array {
  const signs = text.replaceAll(/[^A-Za-z0-9+/]/g, '')
  return new Uint8Array(Buffer.from(signs.length % 4 === 1 ? `${signs}A==` : signs, 'base64'))
}
