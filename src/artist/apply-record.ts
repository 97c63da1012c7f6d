import { primaryName } from '../naming/credit.ts'
import { isId, newId, parseForeignId } from '../values/ids.ts'
import type { StoredTerm } from './description-store.ts'
import type { CheckedArtist } from './record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow, ArtistStore } from './store.ts'
import { kindsOf, termKey } from './terms.ts'

/** The id space of imported ids without a known form. */
export const IMPORTED = 'imported'

export interface ForeignRef {
  catalog: string
  foreignId: string
}

/**
 * Ids in other spaces as they are stored: `<space>:<type>:<id>` and `<id>` are the same id.
 * `foreign` is the record's own id, if it is not native.
 */
export function foreignRefs(
  given: readonly ForeignRef[] | undefined,
  foreign?: string | undefined,
): ForeignRef[] {
  const found = (given ?? []).map(({ catalog, foreignId }) => {
    const parsed = parseForeignId(foreignId)
    return { catalog, foreignId: parsed?.catalog === catalog ? parsed.id : foreignId }
  })
  if (foreign === undefined) return found
  const { catalog, id } = parseForeignId(foreign) ?? { catalog: IMPORTED, id: foreign }
  return [...found, { catalog, foreignId: id }]
}

interface NamedArtist {
  id?: string | undefined
  /** The name as credited; the artist's whole name if `own` is set. */
  name: string
  own?: boolean
  foreignIds?: readonly ForeignRef[] | undefined
}

/**
 * Finds the artist of a record by id, then by an id in another space, then by name; makes one if
 * there is none. `Jay-Z feat. Rihanna` is Jay-Z.
 */
export function artistOf(
  { store, now }: Pick<ArtistRoom, 'store' | 'now'>,
  { id, name, own, foreignIds }: NamedArtist,
  imported: boolean,
): { artist: ArtistRow; made: boolean } {
  const native = id !== undefined && isId('artist', id) ? id : undefined
  const refs = foreignRefs(foreignIds, native === undefined ? id : undefined)
  const primary = own ? name : primaryName(name)
  const known =
    native === undefined
      ? (byForeignIds(store, refs) ?? named(store, primary, refs))
      : (store.byId(native) ??
        byForeignIds(store, [{ catalog: IMPORTED, foreignId: native }, ...refs]))
  const newRow = { id: native ?? newId('artist', now()), name: primary, imported, now: now() }
  const artist = known ?? store.add(newRow)
  // The artist keeps its own native id, and is also found by this one.
  if (native !== undefined && artist.id !== native) {
    store.ids.add(IMPORTED, native, artist.num)
  }
  for (const { catalog, foreignId } of refs) store.ids.add(catalog, foreignId, artist.num)
  return { artist, made: known === undefined }
}

function byForeignIds(store: ArtistStore, refs: readonly ForeignRef[]): ArtistRow | undefined {
  for (const { catalog, foreignId } of refs) {
    const num = store.ids.artist(catalog, foreignId)
    if (num !== undefined) return store.byNum(num)
  }
  return undefined
}

/** Two artists with one name and different ids in one space are different artists. */
function named(store: ArtistStore, name: string, refs: readonly ForeignRef[]) {
  return store
    .named(name)
    .find(({ num }) => refs.every(({ catalog }) => store.ids.ofArtist(num, catalog).length === 0))
}

/** Terms as they are stored. A missing weight or frequency takes the value of the other. */
export function storedTerms(terms: NonNullable<CheckedArtist['terms']>): StoredTerm[] {
  return terms.map(({ name, weight, frequency, kind }) => ({
    name: termKey(name),
    kinds: kindsOf({ name, kind }),
    weight: weight ?? frequency ?? 1,
    frequency: frequency ?? weight ?? 1,
  }))
}
