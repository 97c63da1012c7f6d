import { describe, expect, it } from 'vitest'
import { legacyEncodingOf } from '../../src/audio/legacy-text.ts'
import { legacyBytes } from '../support/tag-bytes.ts'

const guessed = (encoding: string, ...texts: string[]) =>
  legacyEncodingOf(texts.map((text) => legacyBytes(encoding, text)))

const RUSSIAN = [
  ...['Песня', 'Кино', 'Группа крови', 'Звезда по имени Солнце', 'Ты', 'Мы', 'Дом', 'Мумий Тролль'],
  ...['Что такое осень', 'Земфира', 'Сплин', 'Выхода нет', 'Любэ', 'Конь', 'Ария', 'Крылья', 'Ой'],
  ...['Пачка сигарет', 'Наутилус Помпилиус', 'ВИА Гра', 'Би-2', 'Океан Ельзи', 'Обійми', 'Лето'],
  ...['Ёлка', 'Взвейтесь кострами', 'Встреча', 'Сансара', 'Жизнь', 'Вдруг', 'Сон', 'КАТЮША', 'Юг'],
  ...['Scorpions - Ветер перемен', '01 Всё идёт по плану', 'В лесу родилась «ёлочка» (live)'],
]
const WESTERN = [
  ...['Motörhead', 'Für Elise', 'Müßiggang', 'Björk', 'Ágætis byrjun', 'Þú', 'Úlfur', 'På', 'ÆØÅ'],
  ...['Öö', 'Ää', 'Åå', 'åäö', 'ÄÖÜ', 'Yö', 'Blåbær', 'Sigur Rós', 'Señorita', 'È vero', 'Perché'],
  ...[
    'Où es-tu',
    'À la claire fontaine',
    'Été',
    'ÉTÉ',
    'Ça va',
    'Noël',
    'Coração',
    'naïve',
    'Ñu',
    'Ú',
  ],
]
const GREEK = [
  ...['Ελλάδα', 'ΕΛΛΑΔΑ', 'Καλημέρα', 'Μάνος Χατζιδάκις', 'Ζορμπάς', 'ΑΓΑΠΗ', 'ΘΕΟΔΩΡΑΚΗΣ'],
  ...['Το τραίνο φεύγει στις οκτώ', 'και'],
]
const CHINESE = [
  '中国',
  '你好',
  '月亮代表我的心',
  '甜蜜蜜',
  '邓丽君',
  '青花瓷',
  '红豆',
  '童话',
  '后来',
]
const KOREAN = ['사랑', '소녀시대', '강남스타일', '아리랑', '서울', '봄날', '좋은 날', '아이유']

describe('the encoding of a text that is no UTF-8', () => {
  it.each(RUSSIAN)('is Windows-1251: %s', (text) => {
    expect(guessed('windows-1251', text)).toBe('windows-1251')
  })

  it.each(WESTERN)('is Windows-1252: %s', (text) => {
    expect(guessed('windows-1252', text)).toBe('windows-1252')
  })

  it('is not Windows-1251 where it is Greek, Chinese or Korean', () => {
    for (const [encoding, texts] of [
      ['windows-1253', GREEK],
      ['gbk', CHINESE],
      ['euc-kr', KOREAN],
    ] as const) {
      const wrong = texts.filter((text) => guessed(encoding, text) === 'windows-1251')
      expect(wrong).toEqual([])
    }
  })

  it('is Shift-JIS where a text has two kana', () => {
    for (const text of ['さくら', 'ありがとう', '愛のうた', 'ラブ', '宇多田ヒカル'])
      expect(guessed('shift_jis', text)).toBe('shift_jis')
  })

  it('is one for all texts of a tag', () => {
    // Each of these alone says nothing, or the wrong.
    expect(guessed('windows-1251', 'ДДТ')).toBe('windows-1252')
    expect(guessed('windows-1251', 'ДДТ', 'Что такое осень')).toBe('windows-1251')
    expect(guessed('windows-1251', 'Я', 'ДДТ', 'Актриса весна')).toBe('windows-1251')
    expect(guessed('windows-1252', 'À', 'Où es-tu', 'Été')).toBe('windows-1252')
    expect(guessed('shift_jis', '愛', 'さくら')).toBe('shift_jis')
  })
})
