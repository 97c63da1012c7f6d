import { jobTurn } from '../kernel/scheduler.ts'
import type { CatalogStore } from './store.ts'

/** Rows that are removed together. */
const ROWS = 250

/** Removes what deleted catalogs left, in steps: one may have had 100,000 items. */
export async function sweep(store: CatalogStore, signal: AbortSignal): Promise<void> {
  while (store.atomically.step(() => store.removeGone(ROWS))) await jobTurn(signal)
}
