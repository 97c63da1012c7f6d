import { deflateSync } from 'node:zlib'
import { encodeCodes, type WireFamily } from '../../../src/recognition/systems/codes.ts'
import { FORMATS } from '../../support/feed-formats.ts'
import type { Dice } from './dice.ts'

/** What a text is given to. */
export type TextKind = 'code' | 'request' | 'feed'

/** A hostile text, as a task of the host. */
export interface HostileText {
  kind: TextKind
  mutation: string
  task: object
}

type Change = readonly [name: string, change: (text: string, dice: Dice) => string]

/** Damage that any text can take. */
const DAMAGE: readonly Change[] = [
  ['none', (text) => text],
  ['cut', (text, dice) => text.slice(0, dice.between(0, text.length))],
  ['a hole', (text, dice) => withPart(text, dice, () => '')],
  ['twice', (text) => text + text],
  ['noise', (text, dice) => withPart(text, dice, () => dice.bytes(50).toString('latin1'))],
  ['other characters', (text, dice) => swapped(text, dice, 20)],
  ['one other character', (text, dice) => swapped(text, dice, 1)],
  ['nothing', () => ''],
]

const CODES: readonly Change[] = [
  ['a bomb', () => deflateSync(Buffer.alloc(50_000_000, '0')).toString('base64')],
  ['6 MB', (_, dice) => dice.bytes(1000).toString('base64').repeat(4700)],
  ['9 MB of white space', (text) => ' '.repeat(9_000_000) + text],
  [
    'decimals',
    (_, dice) => Array.from({ length: 5000 }, () => dice.pick([0, 1, -1, 1e99])).join(' '),
  ],
]

const JSON_TEXTS: readonly Change[] = [
  ['deep lists', () => '['.repeat(100_000)],
  ['deep objects', (_, dice) => '{"item":'.repeat(dice.between(30, 50_000))],
  ['a long text', (text) => text.replace('Home', 'x'.repeat(900_000))],
  ['a long number', (text) => text.replace('8', '9'.repeat(100_000))],
  ['many keys', (text) => text.replace('{', `{${'"a":1,'.repeat(50_000)}`)],
  [
    'names of JavaScript',
    (text, dice) =>
      text.replaceAll('song_name', dice.pick(['__proto__', 'constructor', 'toString'])),
  ],
  ['half a character', (text) => text.replace('Home', '\\ud800')],
  ['zero bytes', (text) => text.replace('Home', '\\u0000')],
  ['100,000 entries of nothing', () => `[${'1,'.repeat(100_000)}1]`],
]

const FEEDS: readonly Change[] = [
  ['50,000 elements in another', (text) => text.replace(/>/, `>${'<a>'.repeat(50_000)}`)],
  [
    '30,000 entries',
    (text) => text.replace(/<(item|entry)[\s>].*<\/\1>/s, (all) => all.repeat(15_000)),
  ],
  ['over 10 MiB', (text) => text + ' '.repeat(11_000_000)],
  ['a name of 5 MB', (text) => text.replace('First', 'x'.repeat(5_000_000))],
  ['5 MB of open tags', (text) => text.replace('First', '&lt;b>'.repeat(800_000))],
  [
    'entities in entities',
    (text) => {
      const entities = Array.from(
        { length: 10 },
        (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
      )
      return `<!DOCTYPE rss [<!ENTITY e0 "ha">${entities.join('')}]>${text.replace('First', '&e10;')}`
    },
  ],
  [
    '100,000 attributes',
    (text) => text.replace(/<(channel|feed)/, `<$1 ${'a="b" '.repeat(100_000)}`),
  ],
]

const STORIES = ['First', 'Second'].map((title) => ({
  id: title,
  title,
  link: `https://paper.example/${title}`,
  html: '<p>New music by <b>Nora Vale</b>.</p>',
  date: '2026-01-02T03:04:05Z',
}))

/** Hostile codes, request bodies and feeds, the same for one seed, each kind of damage in turn. */
export function* hostileTexts(dice: Dice, count: number): Generator<HostileText> {
  const kinds: [TextKind, readonly Change[]][] = [
    ['code', [...DAMAGE, ...CODES]],
    ['request', [...DAMAGE, ...JSON_TEXTS]],
    ['feed', [...DAMAGE, ...FEEDS]],
  ]
  for (let i = 0; i < count; i++) {
    const [kind, changes] = kinds[i % kinds.length] ?? ['code', DAMAGE]
    const [mutation, change] = changes[Math.floor(i / kinds.length) % changes.length] ?? DAMAGE[0]!
    yield { kind, mutation, task: taskOf(kind, (text) => change(text, dice), dice, i) }
  }
}

function taskOf(
  kind: TextKind,
  change: (text: string) => string,
  dice: Dice,
  number: number,
): object {
  if (kind === 'code') {
    const version = dice.pick(['3.15', '4.11', '4.12', '4.0', '', 'x', '4.12abc'])
    return { kind, query: { code: change(code(dice)), ...(version && { version }) } }
  }
  if (kind === 'feed') {
    const format = dice.pick(Object.values(FORMATS))
    const body = Buffer.from(change(format(STORIES))).toString('base64')
    return { kind, url: `https://feed.invalid/${number}`, body }
  }
  const type = 'application/x-www-form-urlencoded'
  if (dice.unit() < 0.4) {
    const query = change(`{"code":"${code(dice)}","metadata":{"version":4.12,"artist":"Home 8"}}`)
    return {
      kind,
      path: '/api/v4/song/identify?api_key=local&format=json',
      type,
      body: form({ query }),
    }
  }
  const data = change(
    '[{"item":{"item_id":"a","song_name":"Home","rating":8}},{"action":"play","item":{"item_id":"a"}}]',
  )
  const body = `id={ID}&${form({ data_type: 'json', data })}`
  return { kind, path: '/api/v4/catalog/update?api_key=local&format=json', type, body }
}

function code(dice: Dice): string {
  const length = 600
  const family = dice.pick<WireFamily>(['enmfp', 'chroma', 'echoprint40', 'echoprint'])
  const most = family === 'enmfp' || family === 'chroma' ? 2 ** 31 : 2 ** 20
  return encodeCodes(family, {
    codes: Uint32Array.from({ length }, () => dice.between(0, most)),
    times: Uint32Array.from({ length }, (_, i) => i),
  })
}

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString()
}

function withPart(text: string, dice: Dice, part: () => string): string {
  const from = dice.between(0, text.length)
  return text.slice(0, from) + part() + text.slice(dice.between(from, text.length))
}

function swapped(text: string, dice: Dice, count: number): string {
  const characters = [...text]
  for (let i = 0; i < count; i++) {
    characters[dice.between(0, characters.length)] = dice.pick([
      ...'"{}[]<>&;:,=\\/0aé\u0001\u{1f600}',
    ])
  }
  return characters.join('')
}
