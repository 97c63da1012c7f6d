type Unknown<T> = {
  [K in keyof T]: null extends T[K] ? K : undefined extends T[K] ? K : never
}[keyof T]
type Known<T> = Omit<T, NonNullable<Unknown<T>>> & {
  [K in NonNullable<Unknown<T>>]?: Exclude<T[K], null | undefined>
}

/** The fields of an object that have a value: neither `null` nor `undefined`. */
export function known<const T extends object>(fields: T): Known<T> {
  const found = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(found) as Known<T>
}
