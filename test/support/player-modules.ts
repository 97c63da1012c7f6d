import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PACKAGE } from './built.ts'

/** A module of the player that needs no browser. */
const own = (name: string) => import(pathToFileURL(join(PACKAGE, 'examples/player', name)).href)

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

export const { Queue } = (await own('page/queue.mjs')) as {
  Queue: new (events: { skips: (id: string) => boolean; changed: () => void }) => Queue
}

interface Keyed {
  key: number
  mode: number
}

export const { camelot, keyName, lasting, reasonsOf } = (await own('page/words.mjs')) as {
  camelot(track: Keyed): string
  keyName(track: Keyed): string
  lasting(seconds: number): string
  reasonsOf(reasons: object): string
}

export const { secondsLeft } = (await own('scan.mjs')) as {
  secondsLeft(
    scan: { done: number; total: number },
    began: { time: number; done: number },
    now: number,
  ): number | undefined
}

interface Voice {
  end: number
  duration: number
  timeOf(seconds: number): number
}

export const { isNext, joinOf, levelOf } = (await own('page/join.mjs')) as {
  isNext(one: object, other: object): boolean
  joinOf(voice: Voice, plan: object | undefined, soonest: number): { kind: string; at: number }
  levelOf(track: { loudness?: number }): number
}
