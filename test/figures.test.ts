import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PAGES, withFigures } from './programs/figures/figures.ts'

const block = (template: string, filled: string) =>
  `before\n\n<!-- figures\n${template}\n-->\n\n${filled}\n\n<!-- /figures -->\nafter {bench/speed/date}\n`

describe('the figures of the documents', () => {
  it.each(PAGES)('are those that the programs recorded (npm run figures): %s', (page) => {
    const text = readFileSync(page, 'utf8')
    expect(text).toContain('<!-- figures')
    expect(withFigures(text)).toBe(text)
  })

  it('stand where a template has their names, rounded as it says', () => {
    const template = '{bench/speed/date} {bench/speed/ratio wav|1} {bench/speed/decoding wav}'
    const filled = withFigures(block(template, 'anything\n\nat all'))
    expect(filled).toMatch(/-->\n\n\d{4}-\d\d-\d\d \d\.\d [\d,]+\n\n<!-- \/figures -->/)
    expect(filled).toMatch(/after \{bench\/speed\/date\}\n$/)
    expect(withFigures(filled)).toBe(filled)
  })

  it('that no program recorded are told', () => {
    expect(() => withFigures(block('{bench/speed/nothing}', ''))).toThrow(
      'A template asks for {bench/speed/nothing}, but test/programs/bench/figures.json has no such',
    )
  })
})
