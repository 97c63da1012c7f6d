import { describe, expect, it } from 'vitest'
import { chordName, chordOf, composeInKey, harmony } from '../programs/trainers/key-composer.ts'
import { DRUM_CHANNEL } from '../programs/trainers/midi-file.ts'
import { seeded } from '../support/music.ts'

describe('chordOf', () => {
  it.each([
    ['I', 0, [0, 4, 7], 'G'],
    ['vi7', 9, [0, 3, 7, 10], 'Em7'],
    ['bVII', 10, [0, 4, 7], 'F'],
    ['V7', 7, [0, 4, 7, 10], 'D7'],
    ['ii°', 2, [0, 3, 6], 'Adim'],
    ['IVM7', 5, [0, 4, 7, 11], 'CM7'],
    ['bVI5', 3 + 5, [0, 7], 'Eb5'],
  ])('reads %s', (text, root, tones, inG) => {
    const chord = chordOf(text)
    expect(chord).toMatchObject({ root, tones })
    expect(chordName(chord, 7)).toBe(inG)
  })

  it('refuses what is no chord', () => {
    expect(() => chordOf('H7')).toThrow('There is no chord H7.')
  })
})

describe('composeInKey', () => {
  it('is the same for the same seed', () => {
    expect(composeInKey(seeded(4))).toEqual(composeInKey(seeded(4)))
    expect(composeInKey(seeded(5))).not.toEqual(composeInKey(seeded(4)))
  })

  it('plays most of the time in its key', () => {
    let inside = 0
    let all = 0
    for (let seed = 1; seed <= 60; seed++) {
      const { key, mode, notes } = composeInKey(seeded(seed))
      // The third and sixth of both, and the seventh of both: what a mode may borrow.
      const scale = mode === 1 ? [0, 2, 4, 5, 7, 9, 11] : [0, 2, 3, 5, 7, 8, 9, 10, 11]
      for (const { channel, pitch, duration } of notes) {
        if (channel === DRUM_CHANNEL) continue
        all += duration
        if (scale.includes((pitch - key + 120) % 12)) inside += duration
      }
    }
    expect(inside / all).toBeGreaterThan(0.88)
  })

  it('has both modes, and tonics among the chords of each', () => {
    const modes = Array.from({ length: 40 }, (_, seed) => composeInKey(seeded(seed)).mode)
    expect(new Set(modes)).toEqual(new Set([0, 1]))
    for (const mode of [0, 1] as const)
      for (let seed = 0; seed < 40; seed++) {
        const tonic = harmony(mode, 16, seeded(seed)).find(
          ({ root, tones }) =>
            root === 0 && (tones.length === 2 || tones[1] === (mode === 1 ? 4 : 3)),
        )
        expect(tonic, `mode ${mode}, seed ${seed}`).toBeDefined()
      }
  })
})
