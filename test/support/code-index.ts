import type { Codes, Lookup } from '../../src/recognition/systems/codes.ts'

/** An index of one family in memory: song i is the i-th of those given. */
export function indexOf(songs: readonly Codes[]): Lookup {
  const places = new Map<number, number>()
  const counts: number[] = []
  let total = 0
  for (const { codes } of songs) {
    total += codes.length
    for (const code of codes) {
      let place = places.get(code)
      if (place === undefined) {
        place = counts.length
        places.set(code, place)
        counts.push(0)
      }
      counts[place] = counts[place]! + 1
    }
  }
  const starts = new Uint32Array(counts.length + 1)
  for (let place = 0; place < counts.length; place++) {
    starts[place + 1] = starts[place]! + counts[place]!
  }
  const next = starts.slice()
  const songOf = new Uint32Array(total)
  const timeOf = new Uint32Array(total)
  for (const [song, { codes, times }] of songs.entries()) {
    for (let i = 0; i < codes.length; i++) {
      const place = places.get(codes[i]!)!
      const at = next[place]!
      songOf[at] = song
      timeOf[at] = times[i]!
      next[place] = at + 1
    }
  }
  const none = { songs: new Uint32Array(0), times: new Uint32Array(0), length: 0 }
  return {
    songs: songs.length,
    frequency: (code) => counts[places.get(code) ?? -1] ?? 0,
    postings: (code) => {
      const place = places.get(code)
      if (place === undefined) return none
      const from = starts[place]!
      const to = starts[place + 1]!
      return {
        songs: songOf.subarray(from, to),
        times: timeOf.subarray(from, to),
        length: to - from,
      }
    },
  }
}
