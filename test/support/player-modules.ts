import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PACKAGE } from './built.ts'

/** A module of the player's page that needs no browser. */
const own = (name: string) =>
  import(pathToFileURL(join(PACKAGE, 'examples/player/page', name)).href)

export interface Step {
  id: string
  queued?: boolean
}

export interface Queue {
  current?: string
  repeat: 'off' | 'all' | 'one'
  radio?: object
  play(id: string, list: readonly string[]): string
  add(id: string, first?: boolean): void
  remove(place: number): void
  upcoming(count?: number): Step[]
  next(options?: { ended?: boolean; step?: Step | undefined }): string | undefined
  previous(): string | undefined
  setShuffle(shuffle: boolean): void
  turnRepeat(): void
  state(): object
  restore(state: object, radio?: object): void
}

export const { Queue } = (await own('queue.mjs')) as {
  Queue: new (events: { skips: (id: string) => boolean; changed: () => void }) => Queue
}
