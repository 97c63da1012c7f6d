import { primaryName } from '../naming/credit.ts'
import { isId, newId, parseForeignId } from '../values/ids.ts'
import type { StoredTerm } from './description-store.ts'
import type { CheckedArtist } from './record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow, ArtistStore } from './store.ts'
import { kindsOf, termKey } from './terms.ts'

/** The id space of imported ids without a known form. */
export const IMPORTED_SPACE = 'imported'

export interface ForeignRef {
  catalog: string
  foreignId: string
}

/**
 * `<space>:<type>:<id>` and `<id>` are the same id.
 * @param ownId - the record's own id, if it is not native
 */
export function toStoredIds(
  foreignIds: readonly ForeignRef[] | undefined,
  ownId?: string | undefined,
): ForeignRef[] {
  const storedIds = (foreignIds ?? []).map(({ catalog, foreignId }) => {
    const parsed = parseForeignId(foreignId)
    return { catalog, foreignId: parsed?.catalog === catalog ? parsed.id : foreignId }
  })
  if (ownId === undefined) return storedIds
  const { catalog, id } = parseForeignId(ownId) ?? { catalog: IMPORTED_SPACE, id: ownId }
  return [...storedIds, { catalog, foreignId: id }]
}

interface NamedArtist {
  id?: string | undefined
  /** As credited; the artist's whole name if `own` is set. */
  name: string
  own?: boolean
  foreignIds?: readonly ForeignRef[] | undefined
}

/** By id, then by an id in another space, then by name; `Jay-Z feat. Rihanna` is Jay-Z. */
export function findOrAddArtist(
  { store, now }: Pick<ArtistRoom, 'store' | 'now'>,
  { id, name, own, foreignIds }: NamedArtist,
  imported: boolean,
): { artist: ArtistRow; made: boolean } {
  const nativeId = id !== undefined && isId('artist', id) ? id : undefined
  const refs = toStoredIds(foreignIds, nativeId === undefined ? id : undefined)
  const artistName = own ? name : primaryName(name)
  const knownArtist =
    nativeId === undefined
      ? (artistByForeignIds(store, refs) ?? artistByName(store, artistName, refs))
      : (store.byId(nativeId) ??
        artistByForeignIds(store, [{ catalog: IMPORTED_SPACE, foreignId: nativeId }, ...refs]))
  const newRow = { id: nativeId ?? newId('artist', now()), name: artistName, imported, now: now() }
  const artist = knownArtist ?? store.addArtist(newRow)
  // The artist keeps its own native id, and is also found by this one.
  if (nativeId !== undefined && artist.id !== nativeId) {
    store.ids.add(IMPORTED_SPACE, nativeId, artist.num)
  }
  for (const { catalog, foreignId } of refs) store.ids.add(catalog, foreignId, artist.num)
  return { artist, made: knownArtist === undefined }
}

function artistByForeignIds(
  store: ArtistStore,
  refs: readonly ForeignRef[],
): ArtistRow | undefined {
  for (const { catalog, foreignId } of refs) {
    const num = store.ids.artist(catalog, foreignId)
    if (num !== undefined) return store.byNum(num)
  }
  return undefined
}

/** Artists of one name with different ids in one space are different artists. */
function artistByName(store: ArtistStore, name: string, refs: readonly ForeignRef[]) {
  return store
    .findByName(name)
    .find(({ num }) => refs.every(({ catalog }) => store.ids.ofArtist(num, catalog).length === 0))
}

export function storedTerms(terms: NonNullable<CheckedArtist['terms']>): StoredTerm[] {
  return terms.map(({ name, weight, frequency, kind }) => ({
    name: termKey(name),
    kinds: kindsOf({ name, kind }),
    weight: weight ?? frequency ?? 1,
    frequency: frequency ?? weight ?? 1,
  }))
}
