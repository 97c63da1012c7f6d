import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Codes, encodeCodes, type WireFamily } from '../../src/recognition/systems/codes.ts'
import {
  decodeCode,
  MAX_CODE_CHARACTERS,
  MAX_CODES,
} from '../../src/recognition/systems/decode-code.ts'
import { computeEchoprint } from '../../src/recognition/systems/echoprint.ts'
import { integerClip } from '../support/integer-clips.ts'

const OURS = 2 ** 30

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return Math.floor(((state >>> 0) / 2 ** 32) * below)
  }
}

/** Codes as a generator of that family could make them. */
function made(family: WireFamily, count: number, seed = 1): Codes {
  const draw = random(seed)
  const codes = new Uint32Array(count)
  const times = new Uint32Array(count)
  let key = draw(2 ** 30)
  for (let i = 0; i < count; i++) {
    if (family === 'echoprint' || family === 'echoprint40') {
      codes[i] = draw(2 ** 20)
      times[i] = draw(2 ** 20)
    } else {
      key = draw(1024) * 2 ** 20 + Math.floor(key / 1024)
      codes[i] = key + (family === 'chroma' ? OURS : 0)
      times[i] = Math.min(0xfffff - 31, (i === 0 ? 0 : times[i - 1]!) + 32 * draw(20))
    }
  }
  return { codes, times }
}

const packed = (text: string | Uint8Array) => deflateSync(text).toString('base64url')
const hex = (values: readonly number[], digits: number) =>
  values.map((value) => value.toString(16).padStart(digits, '0')).join('')
const plain = (codes: Codes | undefined) =>
  codes && { codes: [...codes.codes], times: [...codes.times] }
const messageOf = (text: unknown, version?: unknown) => {
  const decoded = decodeCode(text, version)
  return decoded.codes === undefined ? decoded.message : 'decoded'
}

const VERSIONS: [WireFamily, (string | number | undefined)[]][] = [
  ['enmfp', [undefined, null as never, 3.15, '3.15', 3.13, '3.13']],
  ['chroma', [undefined, 3.15, '3.13']],
  ['echoprint40', [4, '4.0', '4.00', '4']],
  ['echoprint', [4.11, '4.11', 4.12, '4.12', undefined, '3.15', 3.13]],
]

describe.each(VERSIONS)('%s', (family, versions) => {
  test.each(versions)('comes back as it was, version %s', (version) => {
    for (const [seed, count] of [3, 4, 10, 13, 26, 130, 1000, 20_000].entries()) {
      const codes = made(family, count, seed)
      const decoded = decodeCode(encodeCodes(family, codes), version)
      expect(decoded).toMatchObject({ family })
      expect(plain(decoded.codes)).toEqual(plain(codes))
    }
  })

  test('leaves pairs out whose time has more than five digits', () => {
    const { codes, times } = made(family, 5)
    times[4] = 2 ** 20
    const text = encodeCodes(family, { codes, times })
    const decoded = decodeCode(text, versions[0])
    expect(plain(decoded.codes)).toEqual({
      codes: [...codes.slice(0, 4)],
      times: [...times.slice(0, 4)],
    })
  })

  test('is written in the alphabet of addresses, padded', () => {
    for (let seed = 0; seed < 20; seed++) {
      const text = encodeCodes(family, made(family, 50 + seed, seed))
      expect(text).toMatch(/^eJ[A-Za-z0-9_-]+={0,2}$/)
      expect(text.length % 4).toBe(0)
    }
  })
})

describe('a code string', () => {
  const codes = made('enmfp', 40)
  const text = encodeCodes('enmfp', codes)

  test('of real sound comes back', () => {
    const { codes } = computeEchoprint(integerClip('saw'))
    const decoded = decodeCode(encodeCodes('echoprint', codes), '4.12')
    expect(plain(decoded.codes)).toEqual(plain(codes))
  })

  test.each<[string, string]>([
    ['with the alphabet of mail', text.replaceAll('-', '+').replaceAll('_', '/')],
    ['without padding', text.replace(/=+$/, '')],
    ['with white space around', ` \r\n\t${text}\n`],
  ])('is read %s', (_, given) => {
    expect(plain(decodeCode(given).codes)).toEqual(plain(codes))
  })

  test('is read with upper-case digits and white space inside the zlib data', () => {
    const digits = ` ${hex([...codes.times], 5)}${hex([...codes.codes], 8).toUpperCase()}\n`
    expect(plain(decodeCode(packed(digits)).codes)).toEqual(plain(codes))
  })

  test.each<[WireFamily, unknown]>([
    ['enmfp', 3.13],
    ['chroma', 3.13],
    ['echoprint', 3.13],
    ['echoprint', 4.12],
  ])('holds decimals where it has spaces: %s, version %f', (family, version) => {
    const codes = made(family, 20)
    const numbers = [...codes.codes].flatMap((code, i) => [code, codes.times[i]!])
    const decoded = decodeCode(packed(numbers.join(' ')), version)
    expect(decoded).toMatchObject({ family })
    expect(plain(decoded.codes)).toEqual(plain(codes))
  })

  test('that fits both systems in length is told apart by what it holds', () => {
    for (let seed = 0; seed < 50; seed++) {
      expect(decodeCode(encodeCodes('echoprint', made('echoprint', 26, seed)))).toMatchObject({
        family: 'echoprint',
      })
      expect(decodeCode(encodeCodes('enmfp', made('enmfp', 20, seed)))).toMatchObject({
        family: 'enmfp',
      })
    }
  })

  test('is empty for fewer than three codes of Echoprint, and for none', () => {
    expect(encodeCodes('echoprint', made('echoprint', 2))).toBe('')
    expect(encodeCodes('chroma', made('chroma', 0))).toBe('')
    expect(decodeCode('')).toMatchObject({ message: expect.stringContaining('is empty') })
    expect(decodeCode('  \n')).toMatchObject({ message: expect.stringContaining('is empty') })
  })

  test.each<[unknown, string]>([
    [4.2, 'is 4.2, not 3.13, 3.15, 4.0, 4.11 or 4.12'],
    ['latest', 'is "latest", not'],
    ['', 'is "", not'],
    [{}, 'is of type object, not'],
    [Number.NaN, 'is NaN, not'],
  ])('of the version %s is refused', (version, message) => {
    expect(messageOf(text, version)).toContain(message)
  })

  test('of system A is refused as Echoprint', () => {
    expect(messageOf(encodeCodes('enmfp', made('enmfp', 7)), 4.12)).toMatch(
      /as Echoprint its 91 characters are no multiple of 10/,
    )
  })
})

describe('what is no code string', () => {
  const text = encodeCodes('enmfp', made('enmfp', 40))
  const good = { codes: [...made('enmfp', 3).codes], times: [0, 32, 64] }
  const keys = ({ codes, times } = good) => packed(hex(times, 5) + hex(codes, 8))

  test.each<[string, unknown, RegExp]>([
    ['a number', 12, /is 12, not a string/],
    ['nothing', undefined, /of type undefined/],
    ['null', null, /is null/],
    ['a list', [text], /of type object/],
    ['a code with BAD before it', `BAD${text}`, /zlib|base64/],
    ['prose', 'Never gonna give you up', /at 5 it has " "/],
    ['padding inside', `${text.slice(0, 8)}==${text.slice(8)}`, /at 8 it has "="/],
    ['three signs of padding', `${text.replace(/=+$/, '')}===`, /it has "="/],
    ['a length that base64 has not', text.replace(/=+$/, '').slice(0, 41), /length/],
    ['a code of which a part is missing', text.slice(0, 80), /unexpected end of file/],
    ['only the first two bytes', text.slice(0, 3), /unexpected end of file/],
    [
      'a changed sum',
      Buffer.from(Buffer.concat([deflateSync('x').subarray(0, -4), Buffer.alloc(4)])).toString(
        'base64',
      ),

      /check/,
    ],
    [
      'bytes behind',
      Buffer.concat([deflateSync('0'), Buffer.alloc(5)]).toString('base64'),

      /5 bytes after/,
    ],
    ['gzip', gzipSync('0'.repeat(13)).toString('base64'), /does not begin/],
    ['zeros', 'AAAAAAAA', /does not begin/],
    ['empty zlib data', packed(''), /as system A it is empty/],
    ['only spaces', packed('     '), /it is empty/],
    ['zlib in zlib', packed(deflateSync(Buffer.alloc(130))), /holds no codes/],
    ['letters', packed('xyz'.repeat(130)), /it has "x" at 0/],
    ['a part of a pair', packed('0'.repeat(12)), /12 characters are no multiple of 13/],
    ['an odd count of decimals', packed('1 2 3'), /3 numbers are no pairs/],
    ['decimals with signs', packed('1 -2'), /it has "-" at 2/],
    ['decimals with letters', packed('1a 2'), /it has "a" at 1/],
    ['the first decimal too large', packed('1 2147483648'), /more than 31 bits at 11/],
    ['huge decimals', packed('1 99999999999999999999'), /more than 31 bits/],
    [
      'a time between steps',
      keys({ ...good, times: [0, 32, 65] }),

      /time 2 is no multiple/,
    ],
    [
      'a time that goes back',
      keys({ ...good, times: [0, 64, 32] }),

      /time 2 is earlier/,
    ],
    ['a broken chain', keys({ ...good, codes: [1, 2, 3] }), /code 1 does not continue/],
    [
      'a key of 32 bits',
      keys({ ...good, codes: [2 ** 31, 2, 3] }),

      /more than 30 bits/,
    ],
    [
      'ours and theirs mixed',
      keys({ ...good, codes: [OURS, 2, 3] }),

      /more than 30 bits/,
    ],
  ])('is refused: %s', (_, given, message) => {
    const decoded = decodeCode(given)
    if (decoded.codes !== undefined) throw new Error('It was taken for codes.')
    expect(decoded.message).toMatch(message)
    expect(decoded.message.length).toBeLessThan(200)
  })

  test('is refused when huge, before it is read to its end', () => {
    const cases: [string, RegExp][] = [
      ['A'.repeat(MAX_CODE_CHARACTERS + 1), /has 6,291,457 characters; 6,291,456 are the most/],
      [packed(Buffer.alloc(2 ** 28, '0')), /inflates to more than 1,048,576 codes/],
      [packed('0 '.repeat(MAX_CODES * 2 + 2)), /more than 1048576 codes/],
      [packed('0'.repeat(10 * (MAX_CODES + 1))), /more than 1048576 codes/],
      // Not even looked through: a few kB would cost tenths of a second.
      [packed(`${'0'.repeat(10 * MAX_CODES + 9)}z`), /more than 1048576 codes/],
      [packed(' '.repeat(10 * MAX_CODES)), /it is empty/],
      ['='.repeat(MAX_CODE_CHARACTERS), /at 0 it has "="/],
      [`${' '.repeat(MAX_CODE_CHARACTERS - 1)}!`, /at 0 it has "!"/],
    ]
    for (const [given, message] of cases) {
      expect(messageOf(given, 4.12)).toMatch(message)
    }
  })

  test('of random characters never throws', () => {
    const draw = random(5)
    const letters = 'eJABC+/-_= \n0129xyz~é\u0000'
    for (let i = 0; i < 3000; i++) {
      const given = Array.from({ length: draw(60) }, () => letters[draw(letters.length)]).join('')
      expect(decodeCode(given).codes, JSON.stringify(given)).toBeUndefined()
    }
  })

  test('of a code with changed characters is refused or whole', () => {
    const draw = random(6)
    let whole = 0
    for (let i = 0; i < 3000; i++) {
      const at = draw(text.length)
      const given = text.slice(0, at) + String.fromCharCode(32 + draw(95)) + text.slice(at + 1)
      const { codes } = decodeCode(given)
      if (codes === undefined) continue
      expect(plain(codes)).toEqual(plain(made('enmfp', 40)))
      whole++
    }
    // Some characters are changed to themselves; most make another code, which is refused.
    expect(whole).toBeGreaterThan(0)
    expect(whole).toBeLessThan(1000)
  })
})
