import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Deserializer, Serializer } from 'node:v8'

/** A value that one process of a run of the tests has made, for all of them. */
export interface Remembered<T> {
  /** A copy of its own for each who asks; `undefined` until it is kept, and outside of a run. */
  value: T | undefined
  keep(value: T): void
}

/** What the tests have kept under a key, which is plain data. */
export function remembered<T>(key: unknown): Remembered<T> {
  const folder = process.env.AUDILE_TEST_RUN
  if (folder === undefined) return { value: undefined, keep: () => {} }
  const path = join(folder, createHash('md5').update(serialized(key)).digest('hex'))
  return {
    value: existsSync(path) ? (valueIn(readFileSync(path)) as T) : undefined,
    keep: (value) => {
      // Another process must not read half of it.
      const begun = `${path}.${process.pid}`
      writeFileSync(begun, serialized(value))
      renameSync(begun, path)
    },
  }
}

/** Makes a value once in a run of the tests, however many processes ask for it. */
export function onceARun<T>(key: unknown, make: () => T): T {
  const { value, keep } = remembered<T>(key)
  if (value !== undefined) return value
  const made = make()
  keep(made)
  return made
}

// Unlike serialize() and deserialize(), these give each typed array a buffer of its own.

function serialized(value: unknown): Buffer {
  const serializer = new Serializer()
  serializer.writeHeader()
  serializer.writeValue(value)
  return serializer.releaseBuffer()
}

function valueIn(bytes: Buffer): unknown {
  const deserializer = new Deserializer(bytes)
  deserializer.readHeader()
  return deserializer.readValue()
}
