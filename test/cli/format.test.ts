import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import {
  csvFormat,
  cutToWidth,
  type Finding,
  formatClock,
  jsonFormat,
  tableFormat,
  visibleText,
} from '../../src/cli/format.ts'
import { secondsLeft } from '../../src/cli/progress.ts'
import type { AudioSummary } from '../../src/index.ts'

const SUMMARY: AudioSummary = {
  analysisUrl: 'audile:analysis/TR1',
  duration: 3725.4,
  tempo: 119.96,
  key: 3,
  mode: 0,
  timeSignature: 3,
  loudness: -9.87,
  energy: 0.5,
  keyConfidence: 0.5,
  danceability: null,
  speechiness: null,
  acousticness: null,
  valence: null,
  instrumentalness: null,
  liveness: null,
  voice: null,
}

function finding(title: string, changes: Partial<typeof SUMMARY> = {}): Finding {
  const audioSummary = { ...SUMMARY, ...changes }
  return {
    file: '/music/a.mp3',
    track: { id: 'TR1', status: 'complete', files: [], title, audioSummary },
  }
}

const FAILED: Finding = { file: '/music/b, "c"\n.mp3', error: 'It is damaged.' }

describe('the table', () => {
  it('has columns of one width, and what has none at the end', () => {
    const { head, lines } = tableFormat()
    expect(
      head + lines(finding('Evening')) + lines(finding('夜', { tempo: 0, key: 11, mode: 1 })),
    ).toBe(`  BPM  key       Camelot  time   LUFS   length  title
120.0  Eb minor  2A        3/4   -9.9  1:02:05  Evening
    –  B major   1B          –   -9.9  1:02:05  夜
`)
  })

  it('has no loudness where the sound is too short', () => {
    const { loudness: _, ...short } = SUMMARY
    const { track } = finding('Blip')
    const blip = { file: '/b.mp3', track: { ...track!, audioSummary: short } }
    expect(tableFormat().lines(blip)).toContain('3/4      –  1:02:05  Blip')
    const [row] = parse(csvFormat.head + csvFormat.lines(blip), { columns: true }) as object[]
    expect(row).toMatchObject({ loudness: '' })
  })

  it('has no key, no time signature and no tempo where none was heard', () => {
    const none = { tempo: 0, timeSignature: 0, key: 0, mode: 0, keyConfidence: 0 } as const
    expect(tableFormat().lines(finding('Hum', none))).toBe(
      '    –  –         –           –   -9.9  1:02:05  Hum\n',
    )
    const [row] = parse(csvFormat.head + csvFormat.lines(finding('Hum', none)), {
      columns: true,
    }) as object[]
    const empty = { tempo: '', timeSignature: '', key: '', mode: '', keyName: '', camelot: '' }
    expect(row).toMatchObject({ ...empty, keyConfidence: '0' })
  })

  it('is cut to the terminal, by columns and not by characters', () => {
    const { lines } = tableFormat(55)
    expect(lines(finding('Evening Rain'))).toMatch(/ {2}Evenin…\n$/)
    expect(lines(finding('夜の雨と風'))).toMatch(/ {2}夜の雨…\n$/)
    expect(lines(finding('夜の雨'))).toMatch(/ {2}夜の雨\n$/)
  })

  it('shows what would move the cursor of a terminal or reorder its text', () => {
    const { lines } = tableFormat()
    expect(lines(finding('a\x1b[2J\r\nb\u202ec'))).toMatch(/ {2}a\\u001b\[2J\\r\\nb\\u202ec\n$/)
  })

  it('has no line for a file that could not be read', () => {
    expect(tableFormat().lines(FAILED)).toBe('')
  })
})

describe('JSON lines', () => {
  it('are the answer of the library and the file, each in one line', () => {
    const { track } = finding('a\nb')
    const line = jsonFormat.lines(finding('a\nb'))
    expect(line.indexOf('\n')).toBe(line.length - 1)
    const key = { keyName: 'Eb minor', camelot: '2A' }
    expect(JSON.parse(line)).toEqual({ file: '/music/a.mp3', ...track, ...key })
    const none = JSON.parse(jsonFormat.lines(finding('Hum', { keyConfidence: 0 })))
    expect(Object.keys(none)).not.toContain('camelot')
  })

  it('tell why a file could not be read', () => {
    expect(JSON.parse(jsonFormat.lines(FAILED))).toEqual({ ...FAILED, status: 'error' })
  })
})

describe('comma-separated values', () => {
  it('stand beside their confidences and their other spellings', () => {
    const found = finding('a', { key: 8, mode: 0, keyConfidence: 0.7, tempoConfidence: 0.25 })
    const [row = {}] = parse(csvFormat.head + csvFormat.lines(found), { columns: true }) as object[]
    const beside = Object.entries(row).map(([name, value]) => `${name} ${value}`)
    expect(beside.join(', ')).toMatch(/tempo 119.96, tempoConfidence 0.25, beatsSteady /)
    expect(beside.join(', ')).toMatch(
      /timeSignature 3, timeSignatureConfidence .*, key 8, keyConfidence 0.7, mode 0, modeConfidence .*, keyName G# minor, camelot 1A, energy/,
    )
  })

  it('are read by others as they are meant, with a row for each file', () => {
    const text =
      csvFormat.head + csvFormat.lines(finding('He said "no", twice')) + csvFormat.lines(FAILED)
    expect(text.match(/\r\n/g)).toHaveLength(3)
    const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<
      string,
      string
    >[]
    expect(rows).toMatchObject([
      {
        file: '/music/a.mp3',
        status: 'complete',
        title: 'He said "no", twice',
        tempo: '119.96',
        key: '3',
        keyName: 'Eb minor',
        camelot: '2A',
        danceability: '',
      },
      { ...FAILED, status: 'error', tempo: '', keyName: '' },
    ])
  })
})

describe('texts of the command', () => {
  it('are cut in columns, with an ellipsis that fits, too', () => {
    expect(cutToWidth('abcdef', 6)).toBe('abcdef')
    expect(cutToWidth('abcdef', 5)).toBe('abcd…')
    expect(cutToWidth('夜夜夜', 5)).toBe('夜夜…')
    expect(cutToWidth('e\u0301e\u0301', 2)).toBe('e\u0301e\u0301')
  })

  it('are left alone where they are harmless', () => {
    expect(visibleText('Ça va, 夜 🎵')).toBe('Ça va, 夜 🎵')
  })

  it('tell times', () => {
    expect([0.4, 59.6, 3599.4, 3600].map(formatClock)).toEqual(['0:00', '1:00', '59:59', '1:00:00'])
  })

  it('tell what is left by how fast it goes now, and nothing at first', () => {
    expect(secondsLeft([0, 0.1, 0.2])).toBeUndefined()
    expect(secondsLeft([0.5, 0.5, 0.5, 0.5, 0.5])).toBeUndefined()
    expect(secondsLeft([0.5, 0.51, 0.52, 0.53, 0.54])).toBeCloseTo(46)
  })
})
