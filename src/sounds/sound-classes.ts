/** The classes of AudioSet that the network tells apart, by their number in its list. */
export const CLASSES = 521

/** What is heard at each moment; a moment has the surest class of a group. */
export const MOMENTS = {
  /** Singing; the classes of its kinds add more false alarms than voices. */
  singing: [24],
  /** Speech of one, of a child, conversation, narration, synthesised, whispering. */
  speech: [0, 1, 2, 3, 5, 12],
  /** Applause; clapping, cheering and crowds are also heard in percussion. */
  applause: [62],
  /** Music; without it, a voice speaks. */
  music: [132],
} as const satisfies Record<string, readonly number[]>

export type Moment = keyof typeof MOMENTS

/** Instruments and their families; a family has classes of its own beside those of its members. */
export const INSTRUMENT_FAMILIES = {
  keyboards: {
    classes: [147, 151, 152],
    members: {
      piano: [148],
      'electric piano': [149],
      organ: [150],
      harpsichord: [155],
      accordion: [204],
      synthesizer: [153],
    },
  },
  guitars: {
    classes: [134, 135, 141],
    members: {
      'acoustic guitar': [138],
      'electric guitar': [136],
      'bass guitar': [137],
      banjo: [142],
      harp: [194],
    },
  },
  strings: {
    classes: [184, 185, 187],
    members: { violin: [186], cello: [188], 'double bass': [189] },
  },
  woodwinds: {
    classes: [190],
    members: { flute: [191], clarinet: [193], saxophone: [192] },
  },
  brass: {
    classes: [180],
    members: { trumpet: [182], trombone: [183], 'french horn': [181] },
  },
  percussion: {
    classes: [156, 159, 160, 163, 166, 167, 174],
    members: { drums: [157, 158], xylophone: [175, 176, 177] },
  },
} as const satisfies Record<
  string,
  { classes: readonly number[]; members: Readonly<Record<string, readonly number[]>> }
>
