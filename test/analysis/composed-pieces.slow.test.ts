import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { Band } from '../programs/trainers/rhythm-band.ts'
import { makePiece, type Piece } from '../programs/trainers/rhythm-pieces.ts'
import { STYLES } from '../programs/trainers/rhythm-styles.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { seeded } from '../support/music.ts'
import { recall } from './drum-patterns.ts'

describe('composed pieces', () => {
  // Made anew, of styles of every metre; a floor that the analyser leaves well behind.
  const styles = ['house', 'waltz', 'gigue', 'drums alone', 'sonata allegro']
  const band = new Band()
  const pieces = styles.flatMap((name, s): Piece[] => {
    const style = STYLES.find((one) => one.name === name)
    return style ? [makePiece(style, band, seeded(9_000_000 + s))] : []
  })

  it('have documents that keep the rules', () => {
    expect(pieces.length).toBeGreaterThan(3)
    let found = 0
    for (const { samples, sampleRate, beats, style } of pieces) {
      const document = analyze({ samples: [samples], sampleRate })
      expect(brokenInvariants(document), style).toEqual([])
      found +=
        recall(
          beats.slice(0, -1),
          document.beats.map(({ start }) => start),
          0.07,
        ) / pieces.length
    }
    expect(found).toBeGreaterThan(0.7)
  })
})
