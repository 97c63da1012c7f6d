import type { SongRecord } from '../../src/index.ts'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'
import { seeded } from './music.ts'

/** Songs with made code strings: of Echoprint, and every third with one of system A too. */
export function madeSongs(count: number, seed = 31): SongRecord[] {
  const random = seeded(seed)
  const codes = (most: number, mark: number) => ({
    codes: Uint32Array.from({ length: 60 }, () => mark + Math.floor(random() * most)),
    times: Uint32Array.from({ length: 60 }, (_, i) => 40 * i),
  })
  return Array.from({ length: count }, (_, i) => ({
    title: `Song ${seed} ${i}`,
    artistName: `Artist ${i % 7}`,
    duration: 100 + i,
    isrc: `GBAYE${String(100_000 * seed + i)}`,
    fingerprints: [
      { version: '4.12', code: encodeCodes('echoprint', codes(2 ** 20, 0)) },
      ...(i % 3 === 0
        ? [{ version: '3.15', code: encodeCodes('chroma', codes(2 ** 30, 2 ** 30)) }]
        : []),
    ],
  }))
}
