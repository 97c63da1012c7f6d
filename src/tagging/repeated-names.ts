import type { Tags } from '../audio/tags.ts'

export type NamesReader = () => Promise<Tags>

type NameField = 'title' | 'artist' | 'release' | 'albumArtist' | 'genres' | 'year' | 'trackNumber'

/** Absent names are left out. */
export function namesById(
  tags: Tags,
  ids: Readonly<Record<NameField, string>>,
): Record<string, string> {
  const { title, artist, release, albumArtist, genres, year, trackNumber } = tags
  const texts: Record<NameField, string | undefined> = {
    title,
    artist,
    release,
    albumArtist,
    genres: genres?.join('; '),
    year: year?.toString().padStart(4, '0'),
    trackNumber: trackNumber?.toString(),
  }
  return Object.fromEntries(
    Object.entries(ids).flatMap(([field, id]) => {
      const text = texts[field as NameField]
      return text === undefined ? [] : [[id, text]]
    }),
  )
}
