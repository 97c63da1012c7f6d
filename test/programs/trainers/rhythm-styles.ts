/**
 * The styles of generated music, as a drummer's book has them. A style's first line tells its
 * tempi in BPM, beats a bar, feel and whatever is particular; then a line a part with the patterns
 * of which a piece draws one. In a pattern `x` is a stroke, `o` a soft one, `.` none; its signs
 * share a bar evenly, `|` begins another bar, and `-` stands for a piece without the part.
 */
const BOOK = `
ballad: 55-85, 4 beats, busy, weight 3
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  snare ..x...x. ....x.......x...
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo
  bass x...x... x....... x..xx...
  chords x....... x...x... xoxoxoxo
  broken xoxoxoxo xoooxoooxoooxooo -
  pad x -
rim ballad: 55-80, 4 beats, busy
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  rim ..x...x. ....x.......x...
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo
  bass x...x... x..xx...
  chords x....... x...x...
  broken xoxoxoxo -
  pad x
piano ballad: 54-80, 4 beats, busy, weight 4, freedom 0 0 0.01 0.02, piano
  bass x....... x...x...
  broken xoxoxoxo xoooxoooxoooxooo x.x.x.x.
  chords x... - x.o.
piano pop: 80-135, 4 beats, even, weight 2, freedom 0 0 0.01, piano
  bass x...x... x....... x..xx...
  broken xoxoxoxo xxxx -
  chords x... xxxx x.x. .x.x
rock: 98-150, 4 beats, even, weight 2
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  snare ..x...x. ....x.......x...
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo
  bass xxxxxxxx x...x... x..xx.x.
  chords xoxoxoxo x... x...x... -
old rock: 116-170, 4 beats, even
  kick x...x... x.x.x.x.
  snare ..x...x. ..xx..x.
  ride xxxxxxxx xxxx
  bass x.x.x.x. xxxxxxxx
  chords xxxxxxxx x...x...
punk: 150-200, 4 beats, even
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  snare ..x...x. .x.x.x.x
  hat xxxxxxxx xxxx
  bass xxxxxxxx
  chords xxxxxxxx
soft rock: 80-118, 4 beats, even, weight 2
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  snare ..x...x. ....x.......x...
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo
  bass x..xx..x x...x...
  chords x....... xoxoxoxo
  broken xoxoxoxo -
  pad x -
twelve-eight: 52-88, 4 beats, thirds, weight 2
  kick x.....x..... x.....x.x... x....xx.....
  snare ...x.....x..
  hat xooxooxooxoo
  bass x.....x..... x..x..x..x..
  chords xooxooxooxoo x...
  broken xooxooxooxoo -
blues shuffle: 80-160, 4 beats, swing
  kick x.....x..... x..x..x..x..
  snare ...x.....x..
  hat x.ox.ox.ox.o
  bass x..x..x..x.. x.ox.ox.ox.o
  chords x.ox.ox.ox.o ...x.....x.. x...
house: 116-142, 4 beats, calm
  kick xxxx
  hat .x.x.x.x o.x.o.x.o.x.o.x.
  snare .x.x -
  bass .x.x.x.x xxxxxxxx ..xx..xx..xx..xx
  chords x... ...x..x. -
  broken xoooxoooxoooxooo -
  pad x -
trance: 128-145, 4 beats, running
  kick xxxx
  hat .x.x.x.x
  snare .x.x -
  bass .xxx.xxx.xxx.xxx .x.x.x.x
  broken xoxoxoxoxoxoxoxo xoxxoxxoxxoxxoxo
  pad x
breakbeat: 84-150, 4 beats, calm, weight 2
  kick x.x.......x..... x.x.......xx.... x.........x..... x......x..x.....
  snare ....x..o.o..x..o ....x..o.o..x... ....x.o.....x.o. ....x.......x...
  hat x.x.x.x.x.x.x.x. xoxoxoxoxoxoxoxo -
  bass x.......x....... -
drum and bass: 160-178, 4 beats, calm
  kick x....x.. x.x.......x.....
  snare ..x...x. ....x..o.o..x..o
  hat xxxxxxxx
  bass x....... x..x....
  pad x
hip-hop: 76-106, 4 beats, busy, weight 2
  kick x.....x...x..... x..x......x..... x........xx..... x.x....x...x....
  snare ..x...x. ....x.......x...
  hat xoxoxoxo xoxoxoxoxoxoxoxo
  bass x.....x...x..... x.......x..x....
  chords x....... - ..x...x.
funk: 90-120, 4 beats, busy
  kick x.....x...x..... x..x......x..... x.x....x..x..x..
  snare ....x..o.o..x... ....x..o....x..o
  hat xoxoxoxo xoxoxoxoxoxoxoxo
  bass x.....x...x..... x..x....x..x....
  chords ..x...x...x...x. ..xo...x..xo...x -
reggae: 66-95, 4 beats, even
  kick ..x. x.x. .x.x
  rim ..x. -
  hat oxoxoxox xxxxxxxx
  bass x..x..x. x....xx.
  chords .x.x.x.x ..x...x...x...x.
ska: 116-152, 4 beats, even
  kick .x.x x.x.
  snare .x.x ..x.
  hat .x.x.x.x xxxxxxxx
  bass xxxx
  chords .x.x.x.x
disco: 108-134, 4 beats, even
  kick xxxx
  snare .x.x
  hat oxoxoxox
  bass xoxoxoxo x.x.x.x.
  chords x... ..x...x. xx.x.xx.
  pad x -
motown: 88-130, 4 beats, even
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x..
  snare xxxx ..x...x.
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo
  bass x..xx.x. x.xx.xx.
  chords .x.x x...
bossa nova: 110-150, 4 beats, even, weight 2
  kick x..xx..x
  rim x..x..x.|..x..x.. x..x..x.|..x.x...
  hat xxxxxxxx
  bass x..xx..x x...x...
  chords x..x..x.|..x..x.. .x..x.x. x.xx.x.x
samba: 88-126, 4 beats, running
  kick x..xx..xx..xx..x o...x...o...x...
  rim x.x.xx.x.x.x.xx. -
  hat xooxxooxxooxxoox xoooxoooxoooxooo
  conga ....x.......x... -
  bass x..xx..xx..xx..x
  chords x.x..x.x.x.x..x. x..x..x.
salsa: 86-112, 4 beats, running, weight 2
  rim x..x..x...x.x... ..x.x...x..x..x.
  conga ..x...xx..x...xx o.x.o.xxo.x.o.xx
  ride x.xxx.xxx.xxx.xx x.x.x.x.
  bass ...x..x....x..x. ..x..x.. x..x..x.x..x..x.
  chords x.xx.xx.xx.xx.x. x..x.x.xx..x.x.x
cha-cha: 100-130, 4 beats, even
  kick x....... -
  rim xxxx
  conga ..x...xx
  hat xoxoxoxo -
  bass x..x..x. x...x.xx
  chords .x.x.x.x x..xx.x.
rhumba: 90-130, 4 beats, calm
  kick x...x... -
  rim x..x..x. -
  conga x.xxx.xx ..x...xx
  hat xxxxxxxx
  bass x..xx... x..x..x.
  chords x..x..x. .xxx.xxx x...
mambo: 90-118, 4 beats, running
  kick x....... -
  ride x.x.xxx.x.xxx.xx
  conga ..x...xx oxxoxoxx
  bass x.....x...x.x... ..x..x..
  chords x.xx.xx.xx.xx.x. x.x.xx.x.x.x.xx.
calypso: 96-135, 4 beats, even
  kick xxxx x..xx...
  snare ..x..xx. -
  hat xoxoxoxo
  bass x..x..x. x...x.x.
  chords .xx..xx. .x.x.x.x
tango: 110-135, 4 beats, running
  snare xxxx..xx x.x.x.xx -
  kick x... -
  bass xxxx x..xx.x.
  chords xxxx xxxxxxxx x.x.x.xx
polka: 100-140, 4 beats, running
  kick x.x. -
  snare .x.x -
  bass x.x.
  chords .x.x
fast polka: 100-132, 4 beats, running
  kick x.x.x.x.
  snare .x.x.x.x
  bass x.x.x.x.
  chords .x.x.x.x
march: 98-128, 4 beats, even, weight 2
  kick x.x. xxxx
  snare .x.x .o.x.x.xoox.o.x. x.xxx.xxx.x.x.x.
  bass x.x.
  chords .x.x .x.x.x.x
foxtrot: 108-208, 4 beats, even
  kick x.x.
  snare .x.x
  hat xxxx -
  bass x.x.
  chords .x.x xxxx
ragtime: 82-125, 4 beats, busy, piano
  bass x.x. x.x.x.x.
  chords .x.x .x.x.x.x
country: 90-145, 4 beats, even
  kick x.x.
  snare .x.x .ox.oxx.
  hat xxxxxxxx -
  bass x.x.
  chords .x.x ..xx..xx
bluegrass: 105-145, 4 beats, running
  bass x.x.
  chords .x.x
  broken xoxoxoxo xooxooxo -
strummed folk: 78-138, 4 beats, even, weight 2
  bass x... x.x.
  chords x.xx.xxx xoxoxoxo x.xo x.x.xoxo
picked folk: 72-128, 4 beats, even
  bass x.x. xxxx
  broken xoxoxoxo xoooxoooxoooxooo
swing: 105-212, 4 beats, swing, weight 3
  kick x.x. - oooo
  ride x..x.ox..x.o x..x.xx..x.x
  hat .x.x
  snare - .....o....o. .....o|........o...
  bass xxxx x.x.
  chords x....... x....x...... .....x...... ...x.....x.. xxxx
slow swing: 58-105, 4 beats, swing
  kick x.x. -
  ride x..x.ox..x.o
  hat .x.x
  bass xxxx x.x.
  chords x... xxxx .....x......
jazz waltz: 120-212, 3 beats, swing, weight 3
  kick x.. -
  ride x..x.ox.. x..x.ox.o
  hat .x. .xx
  bass x.. xxx x....x...
  chords x.. .....x... x....x... .xx
jazz in five: 130-185, 5 beats, swing, weight 2
  kick x..x. -
  ride x..x.ox..x..x.o x..x.ox.ox..x..
  hat .x..x .xx.x
  bass x..x. x.ox.
  chords x....x...x..... x..x. x....
jazz rock: 98-140, 4 beats, busy
  kick x.....x...x..... x..xx...
  snare ..x...x. ....x.......x...
  ride xxxxxxxx
  bass x..x..x...x..x.. x..xx..x
  chords ...x..x. x.....x......... x...
boogie: 120-175, 4 beats, even
  kick x.x.
  snare .x.x
  ride xxxxxxxx x..x.xx..x.x xxxx
  bass xxxxxxxx x.ox.ox.ox.o
  chords ...x..x. x... .x.x
waltz: 84-135, 3 beats, even, weight 2
  kick x.. -
  snare .xx -
  ride xxx xoxoxo -
  bass x..
  chords .xx xxx
fast waltz: 135-195, 3 beats, calm, weight 2
  kick x.. -
  snare .xx -
  bass x..
  chords .xx x..
  pad - x
rock waltz: 84-150, 3 beats, even
  kick x..... x....x
  snare ..x.x. ....x. ..x...
  hat xoxoxo
  bass x..... x.x.x.
  chords x.. xoxoxo
  broken xoxoxo -
folk waltz: 100-175, 3 beats, even, weight 2
  bass x..
  chords .xx x.. xxx
piano waltz: 70-170, 3 beats, even, weight 2, freedom 0 0.02 0.04 0.08, piano
  bass x..
  chords .xx -
  broken xoxoxo - xoooxoooxooo
jig: 95-132, 2 beats, thirds, weight 2
  bass x. xx
  chords ..x..x x..x.. x.xx.x
slip jig: 85-128, 3 beats, thirds
  bass x.. xxx
  chords ..x..x..x xxx x.xx.xx.x
six-eight ballad: 44-82, 2 beats, thirds, weight 4
  kick x..... x....x x.x...
  snare ...x..
  hat xooxoo xoxoxoxoxoxo
  bass x..... x..x.. x.xx.x
  chords x..... xooxoo x..x..
  broken xooxoo xoxoxoxoxoxo -
six-eight piano: 44-100, 2 beats, thirds, weight 2, freedom 0 0.02 0.04, piano
  bass x..... x..x..
  broken xooxoo xoxoxoxoxoxo
  chords - .oo.oo
six-eight march: 98-128, 2 beats, thirds, weight 2
  kick x. xx
  snare .x x.xx.x ..x..x xxxx.x
  bass x. xx
  chords ..x..x .x .xx.xx
rock in five: 95-180, 5 beats, even
  kick x..x. x....x....
  snare .xx.x ..x.x ....x...x.
  hat xoxoxoxoxo xxxxx
  bass x..x. x..x..x...
  chords x.... x..x.
rock in seven: 105-195, 7 beats, even, weight 2
  kick x.x.x.. x..x.x. x...x..
  snare .x.x.x. ..x...x ..x.x.x
  hat xoxoxoxoxoxoxo xxxxxxx
  bass x.x.x.. x..x.x. xxxxxxx
  chords x...... x.x.x..
reel: 88-128, 4 beats, running, weight 2
  bass x.x. x.x.x.x.
  chords .x.x .x.x.x.x x.x.
hornpipe: 84-130, 4 beats, running, weight 2
  bass x.x. x... -
  chords x.x. x... xxxx .x.x
tune over chords: 84-140, 4 beats, even
  chords x... x.x.
  bass x... -
hymn: 66-112, 4 beats, calm, freedom 0 0.01 0.02
  bass xxxx x.x.
  chords xxxx x.xx
  pad x -
ambient: 70-130, 4 beats, calm
  pad x
  broken xoxoxoxo x..x..x. xooxooxo
  bass x... -
fugue: 46-112, 4 beats, running, weight 3, freedom 0.01 0.03 0.05, counterpoint
fugue in three: 60-135, 3 beats, running, weight 2, freedom 0.01 0.03 0.05, counterpoint
compound fugue: 50-95, 3 beats, thirds, weight 2, freedom 0.01 0.03, counterpoint
gigue: 60-120, 2 beats, thirds, freedom 0.01 0.03, counterpoint
romantic: 52-150, 4 beats, busy, weight 3, freedom 0.02 0.04 0.08, piano
  bass x... x.x.
  broken xoxoxoxo xoooxoooxoooxooo xooxooxooxoo
  chords - .xxx .x.x.x.x
sonata allegro: 110-175, 4 beats, even, weight 2, freedom 0.01 0.02 0.05, piano
  bass x... xxxx
  broken xoxoxoxo xoxo xooxooxooxoo -
  chords x... .x.x xxxx -
drums alone: 80-165, 4 beats, calm, weight 2
  kick x...x... x...xx.. x..xx... xx..x... x...x..x x....x.. xxxx x.....x...x.....
  snare ..x...x. ....x.......x...
  hat xoxoxoxo x.x.x.x. xoooxoooxoooxooo xxxx -
`

export interface Style {
  name: string
  /** Slowest and fastest, in beats per minute. */
  tempo: readonly [number, number]
  beatsPerBar: number
  feel: Feel
  /** How freely the tempo moves: deviation of one beat from the next, drawn from these. */
  freedom?: readonly number[]
  /** No drums, bass or chords, but two to four voices of equal right. */
  counterpoint?: boolean
  /** Always with a melody. */
  tune?: boolean
  /** Who plays it, where that is known. */
  players?: Players
  /** On the piano alone. */
  piano?: boolean
  /** How many pieces it gets, against the others' 1. */
  weight?: number
  parts: Partial<Record<Part, readonly string[]>>
}

export const PARTS = [
  'kick',
  'snare',
  'hat',
  'ride',
  'rim',
  'conga',
  'clap',
  'openhat',
  'crash',
  'tom',
  'shaker',
  'cowbell',
  'bass',
  'riff',
  'chords',
  'broken',
  'pad',
] as const
export type Part = (typeof PARTS)[number]

const PLAYERS = ['alone', 'band', 'rock', 'electronic', 'mixed'] as const
export type Players = (typeof PLAYERS)[number]

type Feel = 'even' | 'busy' | 'running' | 'calm' | 'thirds' | 'swing'

/** Where the notes of a melody may start within a beat. */
export const MELODIES: Readonly<Record<Feel, readonly (readonly number[])[]>> = {
  even: [[0, 0.5], [0], [0, 0.5], [0.5], [0, 0.75], []],
  busy: [
    [0, 0.5],
    [0, 0.25, 0.5, 0.75],
    [0, 0.75],
    [0, 0.5, 0.75],
    [0],
    [0.5],
    [0.25, 0.5, 0.75],
    [],
  ],
  running: [[0, 0.5], [0, 0.25, 0.5, 0.75], [0, 0.5], [0]],
  calm: [[0], [0, 0.5], [0], []],
  thirds: [[0, 1 / 3, 2 / 3], [0, 2 / 3], [0], [0, 1 / 3, 2 / 3]],
  swing: [[0, 2 / 3], [0], [2 / 3], [0, 1 / 3, 2 / 3], []],
}

/** The styles of a book that is written as the one above. */
export function stylesOf(book: string): Style[] {
  return book
    .trim()
    .split(/\n(?! )/)
    .map(styleOf)
}

export const STYLES: readonly Style[] = stylesOf(BOOK)

function styleOf(text: string): Style {
  const [head, ...lines] = text.split('\n')
  const [name, facts] = head!.split(': ') as [string, string]
  const [tempo, beats, feel, ...more] = facts.split(', ')
  const [slowest, fastest] = tempo!.split('-').map(Number) as [number, number]
  const style: Style = {
    name,
    tempo: [slowest, fastest],
    beatsPerBar: Number.parseInt(beats!, 10),
    feel: feel as Feel,
    parts: Object.fromEntries(lines.map(partOf)),
  }
  for (const fact of more) {
    const [what, ...values] = fact.split(' ')
    if (what === 'weight') style.weight = Number(values[0])
    if (what === 'freedom') style.freedom = values.map(Number)
    if (what === 'piano') style.piano = true
    if (what === 'counterpoint') style.counterpoint = true
    if (what === 'tune') style.tune = true
    if (PLAYERS.includes(what as Players)) style.players = what as Players
  }
  return style
}

function partOf(line: string): [part: string, patterns: string[]] {
  const [part, ...patterns] = line.trim().split(' ')
  return [part!, patterns.map((pattern) => (pattern === '-' ? '' : pattern))]
}
