import type { Dice } from '../hostile/dice.ts'

/** Texts that no encoding of eight bits holds all of. */
const WORDS = [
  'Ágætis byrjun',
  'Песня о друге',
  '東京事変',
  'plain words',
  'مرحبا 🎵',
  'Motörhead; AC/DC',
]

/** Texts as programs of their time left them, in bytes that are no UTF-8. */
export const LEGACY_TEXTS: Readonly<Record<string, Buffer>> = {
  'Windows-1251': Buffer.from([0xcf, 0xe5, 0xf1, 0xed, 0xff, 0x20, 0xee, 0x20, 0xe4, 0xf0, 0xf3]),
  'Shift-JIS': Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x8e, 0x96, 0x95, 0xcf]),
  'Latin-1': Buffer.from('Björk, Café', 'latin1'),
  'cut UTF-8': Buffer.from('Bjö').subarray(0, 3),
}

export function someWords(dice: Dice): string {
  return `${dice.pick(WORDS)} ${dice.between(0, 1000)}`
}

/** Words that Latin-1 holds. */
export function latinWords(dice: Dice): string {
  return `${dice.pick(['Sigur Rós', 'plain', 'Über/Unter', 'ÿþÿ'])} ${dice.between(0, 1000)}`
}

export function legacyText(dice: Dice): Buffer {
  return dice.pick(Object.values(LEGACY_TEXTS))
}

/** Bytes with many pairs that unsynchronisation has to change. */
export function binaryBytes(dice: Dice, length: number): Buffer {
  const bytes = dice.bytes(length)
  for (let at = 3; at + 1 < length; at += dice.between(5, 60)) {
    bytes[at] = 0xff
    bytes[at + 1] = dice.pick([0, 0xe0, 0xfb, 0xff])
  }
  return bytes
}

/** Whether something odd is done to a file. */
export function isChosen(dice: Dice, share: number): boolean {
  return dice.unit() < share
}

/** Some of the list, in an order of its own. */
export function someOf<T>(dice: Dice, list: readonly T[], count: number): T[] {
  const left = [...list]
  const chosen: T[] = []
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(dice.between(0, left.length), 1))
  }
  return chosen
}
