/** A dictionary from text: `one:1 two:2`. */
export function dictionary(entries: string): Readonly<Record<string, string>> {
  const pairs = entries.split(/\s+/).map((entry) => entry.split(':'))
  // Without a prototype: "constructor" is in no dictionary.
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(pairs)))
}
