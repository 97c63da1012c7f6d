import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromCsv, type SongRecord } from '../../src/import-entry.ts'
import { AudileError } from '../../src/values/errors.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, gzipped, pieces, readAll } from './read-all.ts'

const CSV = 'Song,Band\nFür Élise,Løve\nZwei,Drei\n'
const columns = { title: 'Song', artistName: 'Band' }
const read = (input: Parameters<typeof fromCsv>[0]): Promise<SongRecord[]> =>
  readAll(fromCsv(input, { columns }))
const SONGS = [
  { title: 'Für Élise', artistName: 'Løve' },
  { title: 'Zwei', artistName: 'Drei' },
]

describe('what importers read', () => {
  it('is a path, bytes in memory, or bytes as they come', async () => {
    const path = join(scratch(), 'songs.csv')
    writeFileSync(path, CSV)
    const given = bytes(CSV)
    for (const input of [
      path,
      given,
      given.slice().buffer,
      new Blob([CSV]),
      new Blob([CSV]).stream(),
      pieces(CSV, 1),
    ]) {
      expect(await read(input)).toEqual(SONGS)
    }
  })

  it('may be gzipped, whatever it is called, also in several members', async () => {
    const path = join(scratch(), 'songs.csv')
    writeFileSync(
      path,
      Buffer.concat([gzipped('Song,Band\nFür Élise,Løve\n'), gzipped('Zwei,Drei\n')]),
    )
    expect(await read(path)).toEqual(SONGS)
    expect(await read(pieces(gzipped(CSV), 3))).toEqual(SONGS)
  })

  it('is told to be missing, a folder, cut off, or packed in another way', async () => {
    const folder = scratch()
    const missing = join(folder, 'no such.csv')
    await expect(read(missing)).rejects.toThrow(
      `input - Invalid parameter: "${missing}" does not exist`,
    )
    await expect(read(missing)).rejects.toBeInstanceOf(AudileError)
    await expect(read(folder)).rejects.toThrow('is a folder')
    await expect(read(gzipped(CSV.repeat(99)).subarray(0, 60))).rejects.toThrow(
      'cannot be unpacked',
    )
    const packed = (hex: string) => read(Buffer.from(`${hex}0000000000000000`, 'hex'))
    await expect(packed('fd377a585a00')).rejects.toThrow('unpack it first (xz -d)')
    await expect(packed('504b0304')).rejects.toThrow('unzip it')
    await expect(packed('28b52ffd')).rejects.toThrow('zstd')
  })

  it('is let go when the reader has enough', async () => {
    let given = 0
    let ended = false
    async function* endless() {
      try {
        for (;;) {
          given++
          yield bytes(given === 1 ? CSV : 'more,of it\n')
        }
      } finally {
        ended = true
      }
    }
    for await (const song of fromCsv(endless(), { columns })) {
      if (song.title === 'more') break
    }
    await expect.poll(() => ended).toBe(true)
    expect(given).toBeLessThan(10_000)
  })
})
