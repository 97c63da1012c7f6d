import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { creditOf, primaryName } from '../../src/naming/credit.ts'
import { artistKey, nameKey, squashedKey, wordsOfKey } from '../../src/naming/names.ts'
import { repairedText } from '../../src/naming/repair-text.ts'
import { titleOf } from '../../src/naming/title.ts'
import { seeded } from '../support/music.ts'

/** A text as a program shows it that reads UTF-8 as Windows-1252. */
const misread = (text: string) =>
  new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))

describe('the two Unicode forms of a name', () => {
  it.each([
    'Motörhead & Ä/Öde',
    'Beyoncé/Žižek',
    'MaÃ±oso',
    'Désolé (Ã©)',
    'ééééééééééééééééééééééééééééé',
    'ᾂ ೋ ᾀbc (live) ᾂ – ೋ',
    'Ấp Ốc feat. Ử',
    '가나다 がぎぐ क़ Ёй',
  ])('are read alike: %s', (name) => {
    const readIn = (form: string) => {
      const text = name.normalize(form)
      const { core, isCut: cut, kinds, whichVersion: which, whole } = titleOf(text)
      const { parts, main, isCut: cutCredit } = creditOf(text)
      return [nameKey(text), whole.key, core.key, cut, kinds, which, parts, main, cutCredit]
    }
    expect(readIn('NFD')).toEqual(readIn('NFC'))
  })
})

describe('the key of a name', () => {
  it.each([
    ['Nora Vale', 'nora vale'],
    ['  NORA   vale ', 'nora vale'],
    ['AC/DC', 'ac dc'],
    ['Salt & Pepper', 'salt and pepper'],
    ['Florence + the Kettles', 'florence and the kettles'],
    ['2+2', '2 2'],
    ['Beyoncé', 'beyonce'],
    ['Beyonce\u0301', 'beyonce'],
    ['Ｎｏｒａ', 'nora'],
    ['𝓝ora', 'nora'],
    ['No\u00adra\u200b Vale', 'nora vale'],
    ['I ❤️ You', 'i you'],
    ['The_Iron_Kettles', 'the iron kettles'],
  ])('is of spellings of %s one', (name, key) => {
    expect(nameKey(name)).toBe(key)
  })

  it.each([
    ["Don't Stop", 'Dont Stop', 'Don’t Stop', 'Don´t Stop', 'Don`t Stop', 'Donʼt Stop'],
    ['A$AP', 'ASAP'],
    ['Ke$ha', 'Kesha'],
    ['Bada$$', 'Badass'],
    ['P!nk', 'Pink'],
    ['Mø', 'MØ', 'Mo'],
    ['Straße', 'Strasse'],
    ['Łódź', 'Lodz'],
    ['Ængels', 'Aengels'],
    ['Œuvre', 'Oeuvre'],
    ['Đoàn Ðorn', 'Doan Dorn'],
    ['Þór', 'Thor'],
    ['İstanbul', 'istanbul', 'ISTANBUL'],
    ['ılık', 'ilik'],
    ['Ὀδυσσεύς', 'ΟΔΥΣΣΕΥΣ'],
    ['Пе́сня', 'ПЕСНЯ'],
    ['مُحَمَّد', 'محمد'],
    ['کی', 'كي'],
    ['שָׁלוֹם', 'שלום'],
    ['ｶﾞｯｺｳ', 'ガッコウ'],
    ['서울'.normalize('NFD'), '서울'],
  ])('is one for %s and %s', (...names) => {
    expect(new Set(names.map(nameKey)).size).toBe(1)
  })

  it.each([
    ['$100', 'S100'],
    ['Wow!', 'Wowi'],
    ['が', 'か'],
    ['कि', 'का'],
    ['!!!', '???'],
    ['Hope', 'Home'],
  ])('tells %s from %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })

  it('of nothing but signs is the signs', () => {
    expect(nameKey(' !!! ')).toBe('!!!')
    expect(nameKey('')).toBe('')
  })

  it('undoes what programs do to texts', () => {
    for (const name of ['Kerran elämässä', 'Café del Mar', 'It’s – “so”', 'Песня', '너는 왜']) {
      expect(nameKey(misread(name)), misread(name)).toBe(nameKey(name))
      expect(nameKey(misread(misread(name)))).toBe(nameKey(name))
    }
    expect(nameKey('Salt &amp; Pepper')).toBe('salt and pepper')
    expect(nameKey('Salt &amp;amp; Pepper')).toBe('salt and pepper')
    expect(repairedText('&quot;So&quot; &#233;t&#xE9; &lt;3 &rsquo;')).toBe('"So" été <3 ’')
    // The hard space that ends à is soon a soft one, or gone.
    expect(nameKey('Lettre Ã Mohamed')).toBe('lettre a mohamed')
    expect(nameKey('voilÃ')).toBe('voila')
  })

  it('leaves alone what only looks like damage', () => {
    for (const name of ['CAFÉ’S', 'MAÇÃ DO AMOR', '«é…”', 'Ã', 'R&B; soul', 'AT&T;', '&#0;']) {
      expect(repairedText(name)).toBe(name)
    }
  })

  it('of a key is the key', () => {
    const random = seeded(1)
    const signs = [..."aäÄßøŁ $!&+'’.-_()12がカ서कि,مд"]
    for (let i = 0; i < 2000; i++) {
      const length = 1 + Math.floor(random() * 12)
      const name = Array.from({ length }, () => signs[Math.floor(random() * signs.length)]).join('')
      const key = nameKey(name)
      expect(nameKey(key), name).toBe(key)
      expect(key).toBe(key.trim().replace(/ +/g, ' '))
    }
  })
})

describe('the key of an artist', () => {
  it.each([
    ['The Iron Kettles', 'iron kettles'],
    ['Iron Kettles, The', 'iron kettles'],
    ['Enanitos, Los', 'los enanitos'],
    ['The The', 'the'],
    ['The', 'the'],
    ['Theo', 'theo'],
    ['Tyler, The Maker', 'tyler the maker'],
  ])('%s is %s', (name, key) => {
    expect(artistKey(name)).toBe(key)
  })

  it('has no spaces when it is squashed', () => {
    expect(squashedKey(artistKey('A.F.I.'))).toBe(squashedKey(artistKey('AFI')))
    expect(squashedKey(artistKey('Run-D.M.C.'))).toBe('rundmc')
  })
})

describe('the words of a key', () => {
  it('are taken sign by sign where nobody writes spaces', () => {
    expect(wordsOfKey(nameKey('学校 School スキ'))).toEqual(['学', '校', 'school', 'ス', 'キ'])
    expect(wordsOfKey(nameKey('은종 SILVERBELL'))).toEqual(['은종', 'silverbell'])
    expect(wordsOfKey('!!!')).toEqual([])
  })

  it('are what the index takes for words, of every script', () => {
    const db = openDatabase(':memory:')
    const insert = db.prepare('INSERT INTO song_words (rowid, title, artist) VALUES (?, ?, ?)')
    const found = db
      .prepare<[string], bigint>('SELECT rowid FROM song_words WHERE song_words MATCH ?')
      .pluck()
    const signs: string[] = []
    for (let code = 0xa1; code < 0x3100; code++) signs.push(String.fromCodePoint(code))
    const words = new Set(signs.flatMap((sign) => wordsOfKey(nameKey(`q${sign}z`))))
    db.transaction(() => {
      for (const [i, word] of [...words].entries()) insert.run(i + 1, word, '')
    })()
    for (const word of words) expect(found.all(`"${word}"`), word).toHaveLength(1)
    db.close()
  })
})

describe('the primary name', () => {
  it.each([
    ['Nora Vale feat. Iron', 'Nora Vale'],
    ['Nora Vale ft Iron', 'Nora Vale'],
    ['Nora Vale (Featuring Iron)', 'Nora Vale'],
    ['Little Feat', 'Little Feat'],
    ['Little Feat & Friends', 'Little Feat & Friends'],
    ['Feat', 'Feat'],
  ])('of %s is %s', (name, primary) => {
    expect(primaryName(name)).toBe(primary)
  })
})
