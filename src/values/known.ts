type UnknownKeys<T> = {
  [K in keyof T]: null extends T[K] ? K : undefined extends T[K] ? K : never
}[keyof T]
type KnownFields<T> = Omit<T, NonNullable<UnknownKeys<T>>> & {
  [K in NonNullable<UnknownKeys<T>>]?: Exclude<T[K], null | undefined>
}

/** Neither `null` nor `undefined`. */
export function known<const T extends object>(fields: T): KnownFields<T> {
  const knownEntries = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(knownEntries) as KnownFields<T>
}
