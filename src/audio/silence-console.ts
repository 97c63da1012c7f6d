const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const

/**
 * Runs a decoder that also prints its errors to the console, which belongs to the host. The call is
 * synchronous, so nothing else can print meanwhile.
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
