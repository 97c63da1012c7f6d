import { describe, expect, it } from 'vitest'
import type { Audile, TrackRecord } from '../../src/index.ts'
import { openInline } from '../support/open.ts'

/** A track whose sound others have described; a title for each. */
function track(title: string, energy: number, valence: number): TrackRecord {
  const rest = { danceability: 0.5, duration_ms: 200_000, tempo: 100, key: 0, mode: 1 }
  const audioFeatures = { ...rest, time_signature: 4, loudness: -8, energy, valence }
  return { title, artist: `The ${title}s`, audioFeatures }
}

const titles = async (music: Audile, mood: string | string[]) =>
  (await music.songs.search({ mood })).map(({ title }) => title)

describe('derived moods', () => {
  it('find one’s own songs, the surest first', async () => {
    const music = await openInline()
    await music.tracks.import([
      track('Lively', 0.85, 0.85),
      track('Lovely', 0.95, 0.95),
      track('Angry', 0.95, 0.1),
      track('Middling', 0.66, 0.6),
      track('Sad', 0.2, 0.2),
    ])
    expect(await titles(music, 'happy')).toEqual(['Lovely', 'Lively'])
    expect(await titles(music, 'Aggressive')).toEqual(['Angry'])
    expect(await titles(music, ['+energetic', '-happy'])).toEqual(['Angry'])
    expect(await titles(music, 'mellow')).toEqual(['Sad'])
    // They are nobody's styles.
    expect(await music.songs.search({ style: 'happy' })).toEqual([])
  })

  it('give way to the moods of the tags and of the artist', async () => {
    const music = await openInline()
    await music.songs.import([
      { title: 'Other', artistName: 'The Lovelys', terms: [{ name: 'brooding', kind: 'mood' }] },
    ])
    await music.tracks.import([
      track('Lovely', 0.95, 0.95),
      { ...track('Tagged', 0.95, 0.95), moods: ['dark'] },
      { ...track('Agreed', 0.95, 0.95), moods: ['happy'] },
    ])
    expect(await titles(music, 'happy')).toEqual(['Agreed'])
    expect(await titles(music, 'energetic')).toEqual([])
    expect(await titles(music, 'dark')).toEqual(['Tagged'])
  })

  it('go with the track', async () => {
    const music = await openInline()
    await music.songs.import([{ title: 'Lovely', artistName: 'The Lovelys', duration: 200 }])
    await music.tracks.import([track('Lovely', 0.95, 0.95)])
    expect(await titles(music, 'happy')).toEqual(['Lovely'])
    const { tracks } = await music.tracks.list()
    await music.tracks.remove(tracks[0]?.id ?? '')
    expect(await titles(music, 'happy')).toEqual([])
    expect(await titles(music, [])).toEqual(['Lovely'])
  })
})
