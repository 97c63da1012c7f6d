import { isId, newId, parseForeignId } from '../ids.ts'
import { primaryName } from './credit.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow } from './store.ts'
import type { StoredTerm } from './term-store.ts'
import { kindsOf, type TermKind, termKey } from './terms.ts'

/** The id space of imported ids that are of no form that is known. */
export const IMPORTED = 'imported'

/** An id in another id space. */
export interface ForeignRef {
  catalog: string
  foreignId: string
}

/**
 * Ids in other spaces as they are stored: `<space>:<type>:<id>` and `<id>` alone are one. An id of
 * an own form beside them, that is not the service's, is one of them.
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
  const parsed = parseForeignId(foreign)
  found.push(
    parsed
      ? { catalog: parsed.catalog, foreignId: parsed.id }
      : { catalog: IMPORTED, foreignId: foreign },
  )
  return found
}

/** How an artist is named in a record. */
export interface NamedArtist {
  /** An id of the service's form, or any other. */
  id?: string | undefined
  /** As credited; or the artist's own name, whatever is in it, when `own` is set. */
  name: string
  own?: boolean
  foreignIds?: readonly ForeignRef[] | undefined
}

/**
 * The artist that a record names, made when there is none: by id, else by an id of another space,
 * else by name. Of `Jay-Z feat. Rihanna` it is Jay-Z.
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
    (native === undefined ? undefined : byNative({ store }, native)) ??
    byForeignIds({ store }, refs) ??
    (native === undefined ? named({ store }, primary, refs) : undefined)
  const artist = known ?? madeOf({ store, now }, native, primary, imported)
  // Known by another id of the service's form: this one is to name the artist too.
  if (native !== undefined && artist.id !== native) {
    store.ids.add(IMPORTED, native, artist.num)
  }
  for (const { catalog, foreignId } of refs) store.ids.add(catalog, foreignId, artist.num)
  return { artist, made: known === undefined }
}

function byNative({ store }: Pick<ArtistRoom, 'store'>, id: string) {
  return store.byId(id) ?? byForeignIds({ store }, [{ catalog: IMPORTED, foreignId: id }])
}

function byForeignIds({ store }: Pick<ArtistRoom, 'store'>, refs: readonly ForeignRef[]) {
  for (const { catalog, foreignId } of refs) {
    const id = store.ids.artist(catalog, foreignId)
    if (id !== undefined) return store.byId(id)
  }
  return undefined
}

/** By name; but two artists of one name who differ in an id of one space are two. */
function named(
  { store }: Pick<ArtistRoom, 'store'>,
  name: string,
  refs: readonly ForeignRef[],
): ArtistRow | undefined {
  return store
    .named(name)
    .find(({ num }) => refs.every(({ catalog }) => store.ids.ofArtist(num, catalog).length === 0))
}

function madeOf(
  { store, now }: Pick<ArtistRoom, 'store' | 'now'>,
  native: string | undefined,
  name: string,
  imported: boolean,
): ArtistRow {
  const id = native ?? newId('artist', now())
  return store.add({ id, name, imported, now: now() })
}

interface GivenTerm {
  name: string
  weight?: number | undefined
  frequency?: number | undefined
  kind?: TermKind | undefined
}

/** Terms as they are stored. Of weight and frequency each stands for the other where one is missing. */
export function storedTerms(terms: readonly GivenTerm[]): StoredTerm[] {
  return terms.map(({ name, weight, frequency, kind }) => ({
    name: termKey(name),
    kinds: kindsOf({ name, kind }),
    weight: weight ?? frequency ?? 1,
    frequency: frequency ?? weight ?? 1,
  }))
}
