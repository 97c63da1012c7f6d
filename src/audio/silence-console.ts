const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const

/**
 * Runs a synchronous call of a decoder that prints to the console what it also returns: a library
 * does not write to its host's console. As the call is synchronous, nothing else can print meanwhile.
 */
export function quietly<T>(call: () => T): T {
  const kept = METHODS.map((name) => console[name])
  for (const name of METHODS) console[name] = () => {}
  try {
    return call()
  } finally {
    for (const [i, name] of METHODS.entries()) console[name] = kept[i]!
  }
}
