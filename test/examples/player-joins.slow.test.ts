import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Transition, transition } from '../../src/analysis-entry.ts'
import { browser } from '../support/browser.ts'
import { beatsOf, madeDocument } from '../support/made-documents.ts'
import { Player, song, Visitor } from '../support/player.ts'
import { opened, row, titles } from '../support/player-page.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

/** Plays pieces of a noise one behind the other; the longest gap, and the largest difference. */
const GAPLESS = `async (lengths) => {
  const [{ Voice }, { arrange, joinOf }] = await Promise.all([import('/voice.mjs'), import('/join.mjs')])
  const rate = 44100
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const context = new OfflineAudioContext(1, total + rate, rate)
  const noise = Float32Array.from({ length: total }, () => Math.random() - 0.5)
  let at = 0
  let voice
  for (const length of lengths) {
    const buffer = context.createBuffer(1, length, rate)
    buffer.copyToChannel(noise.subarray(at, at + length), 0)
    at += length
    const next = new Voice(context, context.destination, {}, buffer)
    if (voice) arrange(voice, next, joinOf(voice, undefined, 0))
    else next.start([{ at: 0, position: 0, rate: 1 }])
    voice = next
  }
  const heard = (await context.startRendering()).getChannelData(0)
  let [gap, longest, off] = [0, 0, 0]
  for (let i = 0; i < total; i++) {
    gap = Math.abs(heard[i]) < 1e-4 ? gap + 1 : 0
    longest = Math.max(longest, gap)
    off = Math.max(off, Math.abs(heard[i] - noise[i]))
  }
  return { longest: (1000 * longest) / rate, off }
}`

/**
 * Mixes tracks that are clicks on their beats, every other one on the left; how far the clicks that
 * belong together are apart, in seconds, and the longest time in which nothing clicks.
 */
const MIXED = `async ({ tracks, plans }) => {
  const [{ Voice }, { arrange, joinOf }] = await Promise.all([import('/voice.mjs'), import('/join.mjs')])
  const rate = 8000
  const seconds = tracks.reduce((sum, { duration }) => sum + duration, 0)
  const context = new OfflineAudioContext(2, Math.ceil(seconds * rate), rate)
  const merger = context.createChannelMerger(2)
  merger.connect(context.destination)
  const voices = tracks.map(({ duration, beats }, i) => {
    const buffer = context.createBuffer(1, Math.ceil(duration * rate), rate)
    const samples = buffer.getChannelData(0)
    for (const beat of beats) samples[Math.round(beat * rate)] = 1
    const side = context.createGain()
    side.connect(merger, 0, i % 2)
    return new Voice(context, side, {}, buffer)
  })
  voices[0].start([{ at: 0, position: 0, rate: 1 }])
  const kinds = plans.map((plan, i) => {
    const join = joinOf(voices[i], plan, 0)
    arrange(voices[i], voices[i + 1], join)
    return join.kind
  })
  const rendered = await context.startRendering()
  const sides = [0, 1].map((side) => rendered.getChannelData(side))
  // The moment of the loudest sample near a time, if it clicks there at all.
  const clickNear = (side, time) => {
    let best = -1
    for (let n = Math.floor((time - 0.1) * rate); n < (time + 0.1) * rate; n++) {
      if (sides[side][n] > Math.max(0.01, sides[side][best] ?? 0)) best = n
    }
    return best < 0 ? undefined : best / rate
  }
  const apart = plans.flatMap(({ beats }, i) =>
    beats.slice(1, -2).flatMap(({ from, to }) => {
      const one = clickNear(i % 2, voices[i].timeOf(from))
      const other = clickNear((i + 1) % 2, voices[i + 1].timeOf(to))
      return one === undefined || other === undefined ? [] : Math.abs(one - other)
    }),
  )
  const end = voices.at(-1).end
  let [last, quiet] = [0, 0]
  for (let n = 0; n < end * rate; n++) {
    if (sides[0][n] < 0.01 && sides[1][n] < 0.01) continue
    quiet = Math.max(quiet, n / rate - last)
    last = n / rate
  }
  return { kinds, apart: Math.max(...apart), pairs: apart.length, quiet, end }
}`

interface Mixed {
  kinds: string[]
  apart: number
  pairs: number
  quiet: number
  end: number
}

const asked = <T>(page: Page, script: string, given: object) =>
  page.evaluate<T>(`(${script})(${JSON.stringify(given)})`)

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
  { bars: 16, level: -22 },
]
/** A tempo that sways by two percent. */
const swaying = (bpm: number) => (beat: number) => bpm * (1 + 0.02 * Math.sin(beat / 20))

describe.skipIf(!chromium)('the joins of the player', () => {
  it('play the tracks of an album without a gap, and without a sample lost', async () => {
    const page = await opened(chromium, await Player.start(join(scratch(), 'music.db')))
    const lengths = [44_100, 30_011, 100_003, 7, 52_919]
    const { longest, off } = await asked<{ longest: number; off: number }>(page, GAPLESS, lengths)
    expect(longest).toBeLessThan(5)
    expect(off).toBeLessThan(0.01)
  })

  it('keep the beats of both tracks together for an hour of mixing', async () => {
    const page = await opened(chromium, await Player.start(join(scratch(), 'music.db')))
    const documents = Array.from({ length: 38 }, (_, i) =>
      madeDocument({ sections: SECTIONS, bpm: swaying(120 + ((i * 7) % 5)) }),
    )
    const plans: Transition[] = documents.slice(1).map((b, i) => transition(documents[i]!, b))
    const tracks = documents.map((one) => ({ duration: one.track.duration, beats: beatsOf(one) }))
    const mixed = await asked<Mixed>(page, MIXED, { tracks, plans })
    expect(new Set(mixed.kinds)).toEqual(new Set(['blend']))
    expect(mixed.end).toBeGreaterThan(3600)
    expect(mixed.pairs).toBeGreaterThan(1000)
    expect(mixed.apart).toBeLessThan(0.015)
    // A click is never missing: the beats go on through every join.
    expect(mixed.quiet).toBeLessThan(0.6)
  })

  it('let the next track begin by itself, and count what was heard', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    const tags = { TALB: 'One album', TPE1: 'Same' }
    const seconds = 4
    song(folder, 'a.wav', { ...tags, TIT2: 'First', TRCK: '1' }, { seconds, seed: 1 })
    song(folder, 'b.wav', { ...tags, TIT2: 'Second', TRCK: '2' }, { seconds, seed: 2 })
    await guest.scan(folder)
    const page = await opened(chromium, player)
    const seen = (title: string) =>
      expect.poll(() => page.locator('#now-title').textContent()).toBe(title)
    await expect.poll(() => titles(page)).toEqual(['First', 'Second'])
    await row(page, 'First').focus()
    await page.keyboard.press('Enter')
    await seen('First')
    await seen('Second')
    // It went over without a stop.
    await expect
      .poll(() => page.locator('#transport').getByRole('button', { name: 'Pause' }).count())
      .toBe(1)
    await page.getByRole('link', { name: 'Taste' }).click()
    await page.locator('.chips button').filter({ hasText: 'Played 2' }).waitFor()
  })
})
