import type { Tags } from '../audio/tags.ts'

/** Reads the names in the tags of a file. */
export type NamesReader = () => Promise<Tags>

type NameField = 'title' | 'artist' | 'release' | 'albumArtist' | 'genres' | 'year' | 'trackNumber'

/** The names as texts, by the ids that a kind of tag gives them; without those that are absent. */
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
