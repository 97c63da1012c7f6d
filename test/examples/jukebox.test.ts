import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromHtml } from 'hast-util-from-html'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browser } from '../support/browser.ts'
import { PACKAGE } from '../support/built.ts'
import { mp3Bytes } from '../support/encode.ts'
import { example } from '../support/example.ts'
import { complaints, excess, groundLight, overlaps } from '../support/layout.ts'
import { seeded, song } from '../support/music.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

interface Branch {
  beat: number
  twin: number
  distance: number
}
interface Piece {
  beats: { start: number; end: number; bar: number; place: number }[]
  branches: Branch[]
  last: Branch
  threshold: number
}
interface Step {
  beat: number
  from?: number
}

const SCRIPT = 'examples/jukebox/jukebox.mjs'
const own = (name: string) => join(PACKAGE, 'examples/jukebox', name)
const { branchesOf } = (await import(pathToFileURL(own('branches.mjs')).href)) as {
  branchesOf(analysis: object): Piece
}
const { createWalk, seeded: seededWalk } = (await import(pathToFileURL(own('walk.mjs')).href)) as {
  createWalk(piece: Piece, random?: () => number): { next(previous: number): Step }
  seeded(seed: number): () => number
}

const chromium = await browser()
const BEAT = 0.5
const METRE = 4

/**
 * An analysis of parts, eight bars each, that are alike where their letters are: each beat of a part
 * has a sound of its own, in two segments; `blur` makes no two of them quite the same.
 */
function analysisOf(parts: string, blur = 0.05) {
  const random = seeded(3)
  const sounds = new Map<string, number[]>()
  const soundOf = (name: string) => {
    const known = sounds.get(name) ?? Array.from({ length: 25 }, () => random() * 2 - 1)
    sounds.set(name, known)
    return known.map((value) => value + blur * (random() * 2 - 1))
  }
  const count = parts.length * 8 * METRE
  const at = (i: number) => ({ start: 0.3 + i * BEAT, duration: BEAT, confidence: 1 })
  const segments = Array.from({ length: 2 * count }, (_, i) => {
    const beat = i >> 1
    const sound = soundOf(`${parts[Math.floor(beat / (8 * METRE))]} ${i % (16 * METRE)}`)
    return {
      start: 0.3 + (i * BEAT) / 2,
      duration: BEAT / 2,
      confidence: i % 2 === 0 ? 1 : 0.5,
      loudness_start: -40,
      loudness_max: -20 + 5 * (sound[24] ?? 0),
      loudness_max_time: 0.02,
      timbre: sound.slice(0, 12).map((value) => 50 * value),
      pitches: sound.slice(12, 24).map((value) => Math.abs(value)),
    }
  })
  return {
    track: { time_signature: METRE, duration: 0.3 + count * BEAT },
    beats: Array.from({ length: count }, (_, i) => at(i)),
    bars: Array.from({ length: count / METRE }, (_, i) => ({
      ...at(i * METRE),
      duration: METRE * BEAT,
    })),
    sections: [...parts].map((_, i) => ({ ...at(i * 32), duration: 32 * BEAT })),
    segments,
  }
}

describe('branches', () => {
  const piece = branchesOf(analysisOf('AABA'))
  const partOf = (beat: number) => 'AABA'[Math.floor(beat / 32)]

  it('join beats that return, and those alone', () => {
    const returning = piece.beats.flatMap((_, i) =>
      partOf(i) === 'A' && i < piece.last.beat ? i : [],
    )
    const joined = new Set(piece.branches.map(({ beat }) => beat))
    expect(returning.filter((i) => joined.has(i)).length / returning.length).toBeGreaterThan(0.9)
    for (const { beat, twin } of piece.branches) {
      expect([partOf(beat), partOf(twin)]).toEqual(['A', 'A'])
      expect(Math.abs(beat - twin) % 32).toBe(0)
    }
  })

  it('keep the place in the bar', () => {
    for (const { beat, twin } of [...piece.branches, piece.last]) {
      expect(piece.beats[beat]?.place).toBe(beat % METRE)
      expect(piece.beats[twin]?.place).toBe(piece.beats[beat]?.place)
    }
  })

  it('lead no beat past the last one, which leads far back', () => {
    expect(piece.last.beat).toBeGreaterThanOrEqual(120)
    expect(piece.last.beat - piece.last.twin).toBeGreaterThanOrEqual(32)
    for (const { beat, twin } of piece.branches) {
      expect(beat).toBeLessThanOrEqual(piece.last.beat)
      expect(twin).toBeLessThan(piece.last.beat)
    }
  })

  it('are found in a rougher piece too, under a threshold that adapts', () => {
    const rough = branchesOf(analysisOf('AABACA', 0.5))
    expect(rough.threshold).toBeGreaterThan(piece.threshold)
    const joined = new Set(rough.branches.map(({ beat }) => beat)).size
    expect(joined / rough.beats.length).toBeGreaterThan(0.2)
    for (const { distance } of rough.branches) expect(distance).toBeLessThanOrEqual(rough.threshold)
  })

  it('are few where nothing returns, but there is always a last one', () => {
    const { branches, last, beats } = branchesOf(analysisOf('ABCD'))
    expect(branches.length).toBeLessThan(beats.length / 10)
    expect(last.beat).toBeGreaterThan(beats.length / 2)
  })

  it('are not looked for without beats', () => {
    const { beats: _, ...rest } = analysisOf('A')
    expect(() => branchesOf({ ...rest, beats: [] })).toThrow('no beats')
  })
})

describe('a walk', () => {
  const piece = branchesOf(analysisOf('AABA'))
  const allowed = new Set(
    [...piece.branches, piece.last].map(({ beat, twin }) => `${beat} ${twin}`),
  )

  it.each([1, 2, 3, 99])('of seed %i never ends, and jumps by branches alone', (seed) => {
    const walk = createWalk(piece, seededWalk(seed))
    let beat = -1
    let jumps = 0
    const heard = new Set<number>()
    for (let i = 0; i < 3000; i++) {
      const step = walk.next(beat)
      expect(step.beat).toBeLessThan(piece.last.beat)
      if (step.from === undefined) expect(step.beat).toBe(beat + 1)
      else {
        expect(step.from).toBe(beat + 1)
        expect(allowed).toContain(`${step.from} ${step.beat}`)
        jumps++
      }
      beat = step.beat
      heard.add(beat)
    }
    expect(jumps).toBeGreaterThan(100)
    expect(jumps).toBeLessThan(500)
    // What was heard least is preferred: nearly all of the piece comes round.
    expect(heard.size / piece.last.beat).toBeGreaterThan(0.95)
  })

  it('is the same for the same seed', () => {
    const steps = (seed: number) => {
      const walk = createWalk(piece, seededWalk(seed))
      let beat = -1
      return Array.from({ length: 500 }, () => {
        beat = walk.next(beat).beat
        return beat
      })
    }
    expect(steps(5)).toEqual(steps(5))
    expect(steps(5)).not.toEqual(steps(6))
  })

  it('goes back from the end when someone went there', () => {
    const walk = createWalk(piece)
    const end = piece.beats.length - 1
    expect(walk.next(end)).toEqual({ beat: piece.last.twin, from: end + 1 })
    expect(walk.next(piece.last.beat)).toEqual({ beat: piece.last.beat + 1 })
  })
})

const folder = mkdtempSync(join(tmpdir(), 'audile-jukebox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'jukebox.html')
const HOSTILE = '<script>document.title="taken"</script>'

beforeAll(async () => {
  // Sixteen bars, twice.
  const once = song({ seconds: 20, tempo: 192, sampleRate: 44_100 }).samples
  const samples = new Float32Array(2 * once.length)
  samples.set(once)
  samples.set(once, once.length)
  const mp3 = await mp3Bytes({ samples: [samples], sampleRate: 44_100 }, 128)
  const path = join(folder, 'piece.mp3')
  writeFileSync(path, Buffer.concat([taggedMp3({ TIT2: HOSTILE }, 0), mp3]))
  const { code, stdout, stderr } = await example(SCRIPT, [path, '--out', file])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/: \d+ beats, \d+ % of them with twins\./)
  expect(code).toBe(0)
})

/** What the page knows of the piece. */
function data(): Piece & { url: string; metre: number } {
  const text = readFileSync(file, 'utf8')
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1]
  return JSON.parse(json ?? '')
}

describe('the page', () => {
  it('is one file of faultless HTML, in which nothing of a tag is markup', () => {
    const faults: string[] = []
    const text = readFileSync(file, 'utf8')
    fromHtml(text, { onerror: (fault) => void faults.push(`${fault.reason} ${fault.line}`) })
    expect(faults).toEqual([])
    expect(text.match(/<script/g)).toHaveLength(2)
    expect(text).toContain('<h1>&lt;script&gt;')
    expect(text).not.toMatch(/(src|href)="(?!data:)/)
    expect(data().url).toMatch(/^data:audio\/mpeg;base64,/)
  })

  it('has branches between beats of the same place in the bar', () => {
    const { beats, branches } = data()
    const first = new Map<number, number>()
    beats.forEach(({ bar }, i) => void (first.has(bar) || first.set(bar, i)))
    const place = (beat: number) => beat - (first.get(beats[beat]?.bar ?? -1) ?? 0)
    expect(new Set(branches.map(({ beat }) => beat)).size).toBeGreaterThan(beats.length / 4)
    for (const { beat, twin } of branches) expect(place(twin)).toBe(place(beat))
    // The piece is heard twice: what is alike is mostly one half of it apart.
    const apart = branches.map(({ beat, twin }) =>
      Math.abs((beats[beat]?.start ?? 0) - (beats[twin]?.start ?? 0)),
    )
    expect(apart.filter((s) => Math.abs(s - 20) < 0.1).length).toBeGreaterThan(apart.length / 3)
  })

  it('is told how it is used, and what no browser plays', async () => {
    expect((await example(SCRIPT, [])).stderr).toContain('usage:')
    const { code, stderr } = await example(SCRIPT, ['piece.xm'])
    expect(code).toBe(1)
    expect(stderr).toContain('piece.xm - browsers do not play')
  })

  it.skipIf(!chromium).each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits a window of %i pixels, %s', async (width, colorScheme) => {
    const { page, complained } = await opened({ width, colorScheme })
    await page.locator('#play:enabled').waitFor()
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await overlaps(page, 'header, .wheel, .counts, .keys')).toEqual([])
    const light = await groundLight(page)
    if (colorScheme === 'light') expect(light).toBeGreaterThan(240)
    else expect(light).toBeLessThan(40)
    expect(complained).toEqual([])
  })

  it.skipIf(!chromium)('plays, jumps, and obeys the keyboard', async () => {
    const { page, complained } = await opened({ query: '?seed=7' })
    const steps: (Step & { start: number; end: number })[] = []
    await page.exposeFunction('told', (step: (typeof steps)[0]) => void steps.push(step))
    await page.locator('#wheel').evaluate((wheel) => {
      const { told } = wheel.ownerDocument.defaultView
      wheel.addEventListener('beat', ({ detail }: { detail: unknown }) => told(detail))
    })
    await page.getByRole('button', { name: 'Play' }).click()
    const wheel = page.getByRole('slider', { name: 'Beat' })
    await expect.poll(() => steps.length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(steps[0]).toMatchObject({ beat: 0 })
    await page.keyboard.press('ArrowUp')
    // One jump that was asked for, one of its own.
    const jumps = () => steps.filter(({ from }) => from !== undefined)
    await expect.poll(() => jumps().length, { timeout: 40_000 }).toBeGreaterThan(1)
    const { branches, last } = data()
    const allowed = [...branches, last].map(({ beat, twin }) => `${beat} ${twin}`)
    for (const { beat, from } of jumps()) expect(allowed).toContain(`${from} ${beat}`)
    // Each beat begins where the one before ended, to the sample.
    for (const [i, step] of steps.slice(1).entries()) expect(step.start).toBe(steps[i]?.end)
    expect(await page.locator('#jumps').textContent()).toBe(String(jumps().length))
    expect(await wheel.getAttribute('aria-valuetext')).toMatch(/^beat \d+, 0:\d\d, \d+ jumps$/)

    await page.keyboard.press('Home')
    await expect.poll(() => steps.at(-1)?.beat, { timeout: 20_000 }).toBeLessThan(3)
    const box = await wheel.boundingBox()
    if (!box) throw new Error('The wheel is not shown.')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.9)
    const half = data().beats.length / 2
    await expect.poll(() => steps.at(-1)?.beat, { timeout: 20_000 }).toBeGreaterThan(half - 3)

    await wheel.focus()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(await page.locator('#told').textContent()).toBe('Paused.')
    expect(complained).toEqual([])
  })
})

it.skipIf(!chromium)('plays what follows without a seam, and fades only at a jump', async () => {
  if (!chromium) return
  const page = await chromium.newPage()
  onTestFinished(() => page.close())
  const content = `${readFileSync(own('deck.mjs'), 'utf8')}\nglobalThis.createDeck = createDeck`
  await page.addScriptTag({ type: 'module', content })
  await page.waitForFunction('globalThis.createDeck')
  const wrong = await page.locator('html').evaluate(async (root) => {
    const { createDeck, OfflineAudioContext } = root.ownerDocument.defaultView
    const rate = 44_100
    const context = new OfflineAudioContext(1, 4 * rate, rate)
    const buffer = context.createBuffer(1, 8 * rate, rate)
    const samples: Float32Array = buffer.getChannelData(0)
    for (let i = 0; i < samples.length; i++) samples[i] = Math.sin(i * i * 1e-5)
    const beats = Array.from({ length: 16 }, (_, i) => ({
      start: i * 0.4871,
      end: (i + 1) * 0.4871,
    }))
    const deck = createDeck(context, buffer, beats)
    deck.add({ beat: 2 }, 0.1)
    for (const beat of [3, 4, 11, 12]) deck.add({ beat })
    // This was not to be: another beat is chosen while the one before sounds.
    deck.cut(deck.at(0.1 + 3.5 * 0.4871).end)
    deck.add({ beat: 7 })
    // Nor was this jump: the same run goes on instead.
    deck.add({ beat: 14 })
    deck.cut(deck.at(0.1 + 4.5 * 0.4871).end)
    for (const beat of [8, 9]) deck.add({ beat })
    const out: Float32Array = (await context.startRendering()).getChannelData(0)
    const at = (beats: number) => Math.round((0.1 + beats * 0.4871) * rate)
    const from = (beat: number) => Math.round(beat * 0.4871 * rate)
    const fade = Math.ceil(0.012 * rate) + 1
    const differs = (start: number, end: number, offset: number) => {
      let count = 0
      for (let i = start; i < end; i++) {
        if (Math.abs((out[i] ?? 0) - (samples[i - start + offset] ?? 0)) > 1e-4) count++
      }
      return count
    }
    return [
      differs(at(0), at(3) - fade, from(2)),
      differs(at(3), at(4) - fade, from(11)),
      differs(at(4), at(7), from(7)),
      Math.max(...out.subarray(0, at(0) - fade)),
    ]
  })
  expect(wrong).toEqual([0, 0, 0, 0])
})

async function opened(options: { width?: number; colorScheme?: 'light' | 'dark'; query?: string }) {
  if (!chromium) throw new Error('No Chromium.')
  const { width = 1280, colorScheme = 'light', query = '' } = options
  const page = await chromium.newPage({ viewport: { width, height: 900 }, colorScheme })
  onTestFinished(() => page.close())
  const complained = complaints(page)
  await page.goto(pathToFileURL(file).href + query)
  return { page, complained }
}
