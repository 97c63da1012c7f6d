import { onTestFinished } from 'vitest'
import { type FlakyProxy, openProxy } from './proxy.ts'

/** A proxy on a free port, until the running test ends. */
export async function flakyProxy(address: string): Promise<FlakyProxy> {
  const proxy = await openProxy(address)
  onTestFinished(() => proxy.close())
  return proxy
}
