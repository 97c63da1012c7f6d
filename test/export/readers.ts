import { SaxesParser } from 'saxes'

/** An element as another program reads it. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

/** Reads XML strictly. */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const stack = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes } as Record<string, string> }
    const made: XmlElement = { ...element, children: [], text: '' }
    stack.at(-1)!.children.push(made)
    stack.push(made)
  })
  parser.on('text', (piece) => {
    stack.at(-1)!.text += piece
  })
  parser.on('closetag', () => stack.pop())
  parser.write(text).close()
  return root.children[0]!
}

/** All elements of a name below one. */
export function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...all(child, name),
  ])
}

/** A tempo that holds from a moment on. */
interface Tempo {
  time: number
  bpm: number
}

/**
 * By how much beats lie beside the nearest lines of a grid, seconds at most. Before the first tempo
 * the grid goes on with it.
 */
export function besideGrid(beats: readonly number[], tempi: readonly Tempo[]): number {
  let worst = 0
  for (const beat of beats) {
    const misses = tempi.map(({ time, bpm }, i) => {
      const next = tempi[i + 1]?.time ?? Infinity
      if ((i > 0 && beat < time - 0.02) || beat > next + 0.02) return Infinity
      const off = ((beat - time) * bpm) / 60
      return (Math.abs(off - Math.round(off)) * 60) / bpm
    })
    worst = Math.max(worst, Math.min(...misses))
  }
  return worst
}

/** A standard MIDI file of one track: the moments of its ticks, its signatures and texts. */
export function readMidi(bytes: Uint8Array): {
  ticks: number
  timeOf: (tick: number) => number
  signatures: { tick: number; beats: number }[]
  markers: { tick: number; text: string }[]
  name: string | undefined
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number) => new TextDecoder().decode(bytes.subarray(at, at + 4))
  if (word(0) !== 'MThd' || view.getUint32(4) !== 6) throw new Error('no header')
  if (view.getUint16(8) !== 0 || view.getUint16(10) !== 1) throw new Error('not format 0')
  const ticks = view.getUint16(12)
  if (word(14) !== 'MTrk' || view.getUint32(18) !== bytes.length - 22) throw new Error('no track')
  let at = 22
  const number = () => {
    let value = 0
    for (;;) {
      const byte = view.getUint8(at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let tick = 0
  const tempi: { tick: number; seconds: number }[] = []
  const signatures: { tick: number; beats: number }[] = []
  const markers: { tick: number; text: string }[] = []
  let name: string | undefined
  for (;;) {
    tick += number()
    if (view.getUint8(at++) !== 0xff) throw new Error('no meta event')
    const type = view.getUint8(at++)
    const length = number()
    const content = bytes.subarray(at, at + length)
    const text = new TextDecoder().decode(content)
    at += length
    if (type === 0x2f) break
    if (type === 0x51)
      tempi.push({ tick, seconds: ((content[0]! << 16) | (content[1]! << 8) | content[2]!) / 1e6 })
    if (type === 0x58) signatures.push({ tick, beats: content[0]! })
    if (type === 0x06) markers.push({ tick, text })
    if (type === 0x03) name = text
  }
  if (at !== bytes.length) throw new Error('more after the end')
  const timeOf = (wanted: number) => {
    let time = 0
    let [last, seconds] = [0, 0.5]
    for (const tempo of tempi) {
      if (tempo.tick >= wanted) break
      time += ((tempo.tick - last) / ticks) * seconds
      last = tempo.tick
      seconds = tempo.seconds
    }
    return time + ((wanted - last) / ticks) * seconds
  }
  return { ticks, timeOf, signatures, markers, name }
}

/** The fields of a protocol buffer: number and value; messages and texts as bytes. */
export function readMessage(bytes: Uint8Array): [field: number, value: number | Uint8Array][] {
  const fields: [number, number | Uint8Array][] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    if ((key & 7) === 0) fields.push([key >> 3, varint()])
    else if ((key & 7) === 1) {
      fields.push([
        key >> 3,
        new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0, true),
      ])
      at += 8
    } else {
      const length = varint()
      fields.push([key >> 3, bytes.subarray(at, at + length)])
      at += length
    }
  }
  return fields
}

/** The beat grid of Serato. */
export function readBeatGrid(bytes: Uint8Array): Tempo[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0) !== 0x01_00) throw new Error('another version')
  const count = view.getUint32(2)
  if (bytes.length !== 6 + 8 * count + 1) throw new Error('another length')
  return Array.from({ length: count }, (_, i) => {
    const time = view.getFloat32(6 + 8 * i)
    if (i === count - 1) return { time, bpm: view.getFloat32(10 + 8 * i) }
    const next = view.getFloat32(14 + 8 * i)
    return { time, bpm: (60 * view.getUint32(10 + 8 * i)) / (next - time) }
  })
}

/** The entries of Serato's second list of markers. */
export function readMarkers2(bytes: Uint8Array): { name: string; content: Uint8Array }[] {
  if (bytes[0] !== 1 || bytes[1] !== 1) throw new Error('another version')
  const text = new TextDecoder().decode(bytes.subarray(2, bytes.indexOf(0, 2)))
  if (text.split('\n').some((line) => line.length > 72)) throw new Error('a long line')
  if (text.includes('=')) throw new Error('Serato writes no padding')
  const data = Uint8Array.from(atob(text.replaceAll('\n', '')), (char) => char.charCodeAt(0))
  if (data[0] !== 1 || data[1] !== 1) throw new Error('another version inside')
  const entries: { name: string; content: Uint8Array }[] = []
  for (let at = 2; data[at] !== 0; ) {
    const end = data.indexOf(0, at)
    const name = new TextDecoder().decode(data.subarray(at, end))
    const length = new DataView(data.buffer, end + 1, 4).getUint32(0)
    entries.push({ name, content: data.subarray(end + 5, end + 5 + length) })
    at = end + 5 + length
    // As Mixxx does.
    if (data[at] === 0 && at + 1 !== data.length) throw new Error('bytes after the end')
  }
  return entries
}
