import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromListenBrainz } from '../../src/import-entry.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, gzipped, readAll, readItems } from './read-all.ts'

const MBID = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69'
const MSID = '11111111-2222-4333-8444-555555555555'

/** A listen as an export has it. */
const listen = (track: string, artist: string, more: object = {}, top: object = {}) =>
  `${JSON.stringify({
    listened_at: 1_700_000_000,
    track_metadata: { track_name: track, artist_name: artist, mbid_mapping: null, ...more },
    ...top,
  })}\n`

const plays = [1_700_000_000]

describe('fromListenBrainz', () => {
  it.each([
    ['plain', bytes],
    ['gzipped', gzipped],
  ])('counts listens of a song, %s', async (_, as) => {
    const text =
      listen('A Song', 'Somebody', { release_name: 'An Album' }) +
      listen('a song', 'SOMEBODY') +
      listen('Other', 'Somebody', { additional_info: { recording_mbid: MBID } })
    const items = await readItems(fromListenBrainz(as(text)))
    expect(items).toHaveLength(2)
    expect(items.find(({ songName }) => songName === 'Other')).toEqual({
      itemId: MBID,
      songName: 'Other',
      artistName: 'Somebody',
      playCount: 1,
      plays: [1_700_000_000],
    })
    expect(items.find(({ songName }) => songName === 'A Song')).toEqual({
      itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
      songName: 'A Song',
      artistName: 'Somebody',
      release: 'An Album',
      playCount: 2,
      plays: [1_700_000_000],
    })
  })

  it('knows a song by its recording, however it was called', async () => {
    const mapped = { mbid_mapping: { recording_mbid: MBID } }
    const items = await readItems(
      fromListenBrainz(
        bytes(
          listen('A Song', 'Somebody') +
            listen('A Song (Remastered)', 'Somebody') +
            listen('A Song', 'Somebody', mapped) +
            listen('A Song (Remastered)', 'Somebody', mapped) +
            listen('A Song (Remastered)', 'Somebody'),
        ),
      ),
    )
    expect(items).toEqual([
      { itemId: MBID, songName: 'A Song', artistName: 'Somebody', playCount: 5, plays },
    ])
  })

  it('keeps the times, ascending, each once, and leaves out what is none', async () => {
    const at = (listened_at: unknown) => listen('A Song', 'Somebody', {}, { listened_at })
    const [item] = await readItems(
      fromListenBrainz(
        bytes([1_600_000_000, 1_500_000_000, 1_600_000_000, 0, null].map(at).join('')),
      ),
    )
    expect(item).toMatchObject({ playCount: 5, plays: [1_500_000_000, 1_600_000_000] })
  })

  it('gives the same item id at every import', async () => {
    const ids = async (text: string) =>
      (await readItems(fromListenBrainz(bytes(text)))).map(({ itemId }) => itemId)
    const one = listen('A Song', 'Somebody')
    expect(await ids(one)).toEqual(await ids(one + one))
    expect(await ids(one)).not.toEqual(await ids(listen('A Song', 'Somebody Else')))
  })

  it('reads a whole export, with what is loved and hated', async () => {
    const folder = scratch()
    const year = join(folder, 'listens', '2024')
    mkdirSync(year, { recursive: true })
    writeFileSync(join(folder, 'user.json'), '{"user_id":1,"username":"me"}\n')
    writeFileSync(
      join(folder, 'feedback.jsonl'),
      `{"recording_mbid":"${MBID}","recording_msid":null,"score":-1,"created":1}
{"recording_mbid":"${MBID}","recording_msid":null,"score":1,"created":2}
{"recording_mbid":null,"recording_msid":"${MSID}","score":-1,"created":2}
{"recording_mbid":"never-heard","recording_msid":null,"score":1,"created":2}\n`,
    )
    writeFileSync(
      join(folder, 'pinned_recording.jsonl'),
      '{"blurb_content":"x","pinned_until":1}\n',
    )
    const loved = { additional_info: { recording_mbid: MBID } }
    writeFileSync(join(year, '1.jsonl'), listen('Loved', 'Somebody', loved))
    writeFileSync(
      join(year, '2.jsonl.gz'),
      gzipped(
        listen('Loved', 'Somebody', loved) + listen('Hated', 'Somebody', { recording_msid: MSID }),
      ),
    )
    expect(await readItems(fromListenBrainz(folder))).toEqual([
      {
        ...{ itemId: MBID, songName: 'Loved', artistName: 'Somebody', playCount: 2, plays },
        favorite: true,
      },
      {
        itemId: expect.any(String),
        songName: 'Hated',
        artistName: 'Somebody',
        playCount: 1,
        plays,
        banned: true,
      },
    ])
  })

  it('takes one user out of the dump of all', async () => {
    const folder = scratch()
    const of = (user_name: string, user_id: number) =>
      listen('A Song', 'X', {}, { user_name, user_id })
    writeFileSync(join(folder, '1.listens'), of('me', 1) + of('you', 2) + of('you', 2))
    const counts = async (user?: string) =>
      (await readItems(fromListenBrainz(folder, { user }))).map(({ playCount }) => playCount)
    expect(await counts('me')).toEqual([1])
    expect(await counts('2')).toEqual([2])
    expect(await counts()).toEqual([3])
    await expect(counts('nobody')).rejects.toThrow('has no listens of the user "nobody"')
  })

  it('refuses what holds no listens, or is cut off', async () => {
    await expect(readAll(fromListenBrainz(bytes('{"a":1}\n')))).rejects.toThrow(
      'line 1: is not a listen',
    )
    await expect(readAll(fromListenBrainz(scratch()))).rejects.toThrow('has no .jsonl or .listens')
    const cut = listen('A Song', 'X') + listen('A Song', 'X').slice(0, 30)
    await expect(readAll(fromListenBrainz(bytes(cut)))).rejects.toThrow('in the middle of line 2')
  })
})
