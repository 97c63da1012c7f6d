import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../src/syndication/dates.ts'

describe('timestampOf', () => {
  it.each([
    ['Mon, 04 Jul 2011 10:00:00 GMT', '2011-07-04T10:00:00'],
    ['Mon, 04 Jul 2011 10:00:00 +0200', '2011-07-04T08:00:00'],
    ['Mon, 04 Jul 2011 10:00:00 EST', '2011-07-04T15:00:00'],
    ['Mon, 04 Jul 2011 10:00:00 CEST', '2011-07-04T08:00:00'],
    ['Mon, 04 Jul 2011 10:00:00', '2011-07-04T10:00:00'],
    ['Mo, 4 Jul 2011 10:00', '2011-07-04T10:00:00'],
    ['Fri, 04 Jul 2011 10:00:00 Z', '2011-07-04T10:00:00'],
    ['04 Jul 11 10:00:00 UT', '2011-07-04T10:00:00'],
    ['July 4, 2011', '2011-07-04T00:00:00'],
    ['2011-07-04T10:00:00Z', '2011-07-04T10:00:00'],
    ['2011-07-04T10:00:00.123456+02:00', '2011-07-04T08:00:00'],
    ['2011-07-04T10:00:00+0230', '2011-07-04T07:30:00'],
    ['2011-07-04T10:00:00-08', '2011-07-04T18:00:00'],
    ['2011-07-04T10:00:00,5-08', '2011-07-04T18:00:00'],
    ['2011-07-04T10:00-0800 (PST)', '2011-07-04T18:00:00'],
    ['2011-07-04 10:00:00 GMT+01:00', '2011-07-04T09:00:00'],
    ['2011-07-04 10:00:00', '2011-07-04T10:00:00'],
    ['2011-07-04T10:00', '2011-07-04T10:00:00'],
    ['2011-07-04', '2011-07-04T00:00:00'],
    ['2011-07', '2011-07-01T00:00:00'],
    ['  2011-07-04 10:00:00 UTC ', '2011-07-04T10:00:00'],
  ])('reads %s', (written, expected) => {
    expect(parseTimestamp(written)).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '2011-13-45',
    'Mon, 99 Foo 2011',
    '0',
    'x'.repeat(1000),
    '+275760-09-13T00:00:00Z',
  ])('takes %s for no date', (written) => {
    expect(parseTimestamp(written)).toBeUndefined()
  })

  it('means the same on every machine', () => {
    const zone = process.env.TZ
    try {
      for (const other of ['Asia/Tokyo', 'America/New_York']) {
        process.env.TZ = other
        expect(parseTimestamp('Mon, 04 Jul 2011 10:00:00')).toBe('2011-07-04T10:00:00')
        expect(parseTimestamp('2011-07-04 10:00')).toBe('2011-07-04T10:00:00')
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })
})
