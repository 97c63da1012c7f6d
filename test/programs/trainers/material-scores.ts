import { gaussian, pick, whole } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { backing, type Ground, harmonyOf, strokesOf } from './material-backing.ts'
import type { Pass, Piece } from './material-piece.ts'
import type { Manner, Production, Score } from './material-score.ts'
import type { Sound } from './rhythm-band.ts'

/** What is played of a kind of pieces. */
interface Book {
  name: string
  weight: number
  kinds: readonly string[]
  metres?: readonly string[]
  /** In place of the pieces' own. */
  tempo?: readonly [number, number]
  manners: readonly Manner[]
  /** Share of pieces whose halves of a quarter are long and short. */
  swung?: number
  settings: readonly Setting[]
}

/** Who plays a piece. */
interface Setting {
  name: string
  production: Production
  /** Voices of the parts, from the highest; of a tune, one of them and sometimes a second. */
  voices: readonly (readonly string[])[]
  /** Voices of chords that are laid under a tune. */
  chords?: readonly string[]
  bass?: string
  drums?: 'hand' | 'kit'
  drone?: boolean
}

const MELODIES = [
  'fiddle',
  'fiddle',
  'flute',
  'whistle',
  'accordion',
  'pipes',
  'clarinet',
  'plucked',
  'grand',
].map((voice) => [voice])
const TUNE: readonly Setting[] = [
  { name: 'alone', production: 'solo', voices: MELODIES },
  { name: 'alone', production: 'solo', voices: MELODIES },
  {
    name: 'drone',
    production: 'solo',
    voices: [['pipes'], ['fiddle'], ['accordion']],
    drone: true,
  },
  { name: 'with drum', production: 'solo', voices: MELODIES, drums: 'hand' },
]
const PAIRS: readonly Setting[] = [
  { name: 'with chords', production: 'solo', voices: MELODIES, chords: ['guitar', 'grand'] },
  {
    name: 'with chords',
    production: 'solo',
    voices: MELODIES,
    chords: ['guitar', 'accordion', 'harp', 'grand'],
  },
  { name: 'piano', production: 'solo', voices: [['grand']], chords: ['grand'] },
]
const BANDS: readonly Setting[] = [
  {
    name: 'band',
    production: 'band',
    voices: MELODIES,
    chords: ['guitar', 'accordion', 'grand'],
    bass: 'bass',
    drums: 'hand',
  },
  {
    name: 'band',
    production: 'band',
    voices: MELODIES,
    chords: ['guitar', 'accordion', 'grand'],
    bass: 'bass',
    drums: 'kit',
  },
  {
    name: 'folk rock',
    production: 'rock',
    voices: [...MELODIES, ['voice']],
    chords: ['drive', 'guitar'],
    bass: 'bass',
    drums: 'kit',
  },
  {
    name: 'synthesised',
    production: 'electronic',
    voices: [['lead'], ['pluck'], ['saw']],
    chords: ['pluck', 'saw', 'pad'],
    bass: 'bass',
    drums: 'kit',
  },
]
const BRASS: Setting = {
  name: 'brass band',
  production: 'band',
  voices: [['cornet'], ['cornet'], ['clarinet']],
  chords: ['horns'],
  bass: 'tuba',
  drums: 'kit',
}
const SUNG: readonly Setting[] = [
  { name: 'sung', production: 'solo', voices: [['voice'], ['choir']] },
  {
    name: 'sung with chords',
    production: 'solo',
    voices: [['voice'], ['choir']],
    chords: ['guitar', 'grand', 'church', 'harp'],
  },
]
const CHOIRS: readonly Setting[] = [
  ['choir'],
  ['voice'],
  ['church'],
  ['grand'],
  ['ensemble'],
  ['violin', 'violin', 'viola', 'cello'],
  ['cornet', 'horns', 'horns', 'tuba'],
  ['reed', 'clarinet', 'clarinet', 'reed'],
].map((voices) => ({ name: voices[0]!, production: 'solo', voices: [voices] }))
const QUARTETS: readonly Setting[] = [
  ['violin', 'violin', 'viola', 'cello'],
  ['violin', 'violin', 'viola', 'cello'],
  ['ensemble'],
  ['flute', 'violin', 'viola', 'cello'],
  ['reed', 'clarinet', 'horns', 'reed'],
  ['harpsichord'],
  ['grand'],
  ['guitar', 'guitar', 'plucked', 'cello'],
].map((voices) => ({ name: voices.join(' '), production: 'solo', voices: [voices] }))
const KEYBOARDS: readonly Setting[] = ['grand', 'grand', 'grand', 'harpsichord', 'church'].map(
  (voice) => ({ name: voice, production: 'solo', voices: [[voice]] }),
)
const CHIPS: readonly Setting[] = [
  { name: 'chips', production: 'electronic', voices: [['lead', 'pluck', 'saw', 'bass']] },
  {
    name: 'chips and drums',
    production: 'electronic',
    voices: [['lead', 'lead', 'pluck', 'bass']],
    drums: 'kit',
  },
  {
    name: 'rock',
    production: 'rock',
    voices: [['drive', 'guitar', 'guitar', 'bass']],
    drums: 'kit',
  },
]
const DANCED: readonly Manner[] = ['machine', 'band', 'band']
const PLAYED: readonly Manner[] = ['machine', 'band', 'free', 'free']
const DANCES = [...TUNE, ...PAIRS, ...PAIRS, ...BANDS]
const IN_PARTS = ['chorale', 'quartet', 'sonata', 'orchestra', 'piano', 'aria', 'ragtime']

/**
 * The books, weighted so that compound and triple metres, of which other material has little, are two
 * thirds of all tunes.
 */
const BOOKS: readonly Book[] = [
  { name: 'jig', weight: 5, kinds: ['jig', 'slide'], manners: DANCED, settings: DANCES },
  { name: 'slip jig', weight: 3, kinds: ['slip jig'], manners: DANCED, settings: DANCES },
  { name: 'reel', weight: 3, kinds: ['reel'], manners: DANCED, swung: 0.1, settings: DANCES },
  {
    name: 'hornpipe',
    weight: 3,
    kinds: ['hornpipe', 'clog'],
    manners: DANCED,
    swung: 0.65,
    settings: DANCES,
  },
  { name: 'strathspey', weight: 1, kinds: ['strathspey'], manners: DANCED, settings: DANCES },
  { name: 'polka', weight: 2, kinds: ['polka'], manners: DANCED, settings: [...DANCES, BRASS] },
  {
    name: 'march',
    weight: 2,
    kinds: ['march'],
    manners: DANCED,
    swung: 0.1,
    settings: [...DANCES, BRASS, BRASS, BRASS],
  },
  {
    name: 'waltz',
    weight: 6,
    kinds: ['waltz', 'minuet', 'air', 'song'],
    metres: ['3/4', '3/8'],
    tempo: [85, 200],
    manners: ['machine', 'band', 'band', 'free'],
    settings: [...PAIRS, ...PAIRS, ...BANDS, ...TUNE, BRASS, BRASS],
  },
  {
    name: 'air',
    weight: 3,
    kinds: ['air'],
    manners: PLAYED,
    settings: [...TUNE, ...PAIRS, ...PAIRS, ...SUNG],
  },
  {
    name: 'song',
    weight: 4,
    kinds: ['song'],
    manners: PLAYED,
    swung: 0.05,
    settings: [...SUNG, ...SUNG, ...TUNE, ...PAIRS, ...BANDS],
  },
  { name: 'chorale', weight: 4, kinds: ['chorale'], manners: PLAYED, settings: CHOIRS },
  {
    name: 'quartet',
    weight: 5,
    kinds: ['quartet', 'sonata', 'orchestra'],
    manners: ['band', 'free', 'free'],
    settings: QUARTETS,
  },
  {
    name: 'keyboard',
    weight: 3,
    kinds: ['piano', 'quartet', 'sonata', 'aria', 'chorale'],
    manners: ['band', 'free', 'free', 'free'],
    settings: KEYBOARDS,
  },
  { name: 'ragtime', weight: 1, kinds: ['ragtime'], manners: DANCED, settings: KEYBOARDS },
  {
    name: 'chips',
    weight: 2,
    kinds: IN_PARTS,
    manners: ['machine', 'machine', 'band'],
    settings: CHIPS,
  },
]

/** Dances of four quarters are counted in halves where these are no slower than this, in BPM; other music. */
const HALVES = 85
const SLOW_HALVES = 55
/** Dotted quarters that would be slower are counted as three beats each. */
const SLOW_COMPOUND = 46
const COUNTED_IN_TWO = ['reel', 'hornpipe', 'clog', 'strathspey', 'march', 'polka']
/** The tempo may be that much faster than that of the score; see `material-tempo.ts`. */
const ROOM = 1.4
/** Share of tunes after which another follows, in its own key. */
const MEDLEYS = 0.35
/** Gains on first beats, other beats and between them. */
const ACCENTS: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [1, 0.9, 0.75],
  [1, 0.8, 0.55],
  [1, 0.95, 0.85],
  [0.8, 0.75, 1],
]
/** Seconds of a grace note. */
const GRACE = 0.045

/** What makes scores of pieces: a book by chance, then a piece of it. */
export function bookOf(pieces: readonly Piece[]): (seconds: number, random: Random) => Score {
  const books = BOOKS.flatMap((book) => {
    const shelf = pieces.filter(
      ({ kind, metre }) =>
        book.kinds.includes(kind) && (book.metres === undefined || book.metres.includes(metre)),
    )
    return shelf.length > 0 ? Array<[Book, Piece[]]>(book.weight).fill([book, shelf]) : []
  })
  return (seconds, random) => {
    const [book, shelf] = pick(random, books)
    return scoreOf(book, shelf, seconds, random)
  }
}

function scoreOf(book: Book, shelf: readonly Piece[], seconds: number, random: Random): Score {
  const setting = pick(random, book.settings)
  const chosen = pick(random, shelf)
  const [slowest, fastest] = book.tempo ?? chosen.tempo
  const { piece, bpm, compound } = counted(chosen, slowest * (fastest / slowest) ** random())
  const { beatsPerBar } = piece
  const needed = Math.ceil((ROOM * seconds * bpm) / 60 / beatsPerBar) + 2
  const lead = whole(random, 0, Math.min(piece.bars, 16))
  const beats = (needed + lead) * beatsPerBar
  const passes = setOf(piece, shelf, { beats, bpm }, random)
  const alone = !IN_PARTS.includes(piece.kind)
  const ground: Ground = { beats, beatsPerBar, compound, chordAt: () => [] }
  const sounds = alone
    ? tuneSounds(passes, setting, { ...ground, bpm }, random)
    : partSounds(passes, setting, ground, random)
  if (setting.drums) sounds.push(...strokesOf(setting.drums, { ...ground, bpm }, random))
  const warp = random() < (book.swung ?? 0) && !compound ? swing(piece, random) : undefined
  const { key } = piece
  const shift = passes[0]!.shift
  const pickup = piece.pickup > 0 && random() < 0.4
  return {
    family: `score ${book.name}`,
    music: `music21 ${piece.id}`,
    source: 'music21',
    style: `score ${book.name}, ${setting.name}, ${piece.metre}`,
    bpm,
    beatsPerBar,
    accepted: acceptedOf(chosen, piece.beatsPerBar, compound),
    sounds: warp ? sounds.map((sound) => warped(sound, warp)) : sounds,
    beats,
    // A recording that begins with the piece has its pickup.
    from: pickup
      ? (lead + 1) * beatsPerBar - piece.pickup - 0.02
      : (lead + (random() < 0.5 ? random() : 0)) * beatsPerBar,
    ...(key &&
      passes.every((pass) => pass.piece === piece) && {
        key: { ...key, tonic: (((key.tonic + shift) % 12) + 12) % 12 },
      }),
    sections: passes.flatMap(({ at, piece: next }, i) =>
      i > 0 && next !== passes[i - 1]!.piece ? [at] : [],
    ),
    manner: pick(random, book.manners),
    production: setting.production,
  }
}

/** A piece in the beats that are tapped at a tempo, of its own beats a minute. */
function counted(piece: Piece, bpm: number): { piece: Piece; bpm: number; compound: boolean } {
  const { metre, unit, kind } = piece
  const compound = unit === 1.5
  if (compound && bpm < SLOW_COMPOUND)
    return { piece: scaled(piece, 3), bpm: 3 * bpm, compound: false }
  if (metre === '4/4' || metre === '2/2') {
    const halves = (bpm * unit) / 2
    const limit = COUNTED_IN_TWO.includes(kind) ? HALVES : metre === '2/2' ? SLOW_HALVES : Infinity
    return { piece: scaled(piece, unit / (halves >= limit ? 2 : 1)), ...tempoOf(halves, limit) }
  }
  return { piece, bpm, compound }
}

function tempoOf(halves: number, limit: number): { bpm: number; compound: false } {
  return { bpm: halves >= limit ? halves : 2 * halves, compound: false }
}

/** A piece whose beats are so many beats each. */
function scaled(piece: Piece, ratio: number): Piece {
  if (ratio === 1) return piece
  return {
    ...piece,
    unit: piece.unit / ratio,
    beatsPerBar: Math.round(piece.beatsPerBar * ratio),
    pickup: piece.pickup * ratio,
    notes: piece.notes.map(([start, duration, pitch, part]) => [
      start * ratio,
      duration * ratio,
      pitch,
      part,
    ]),
  }
}

function acceptedOf({ metre, kind }: Piece, beatsPerBar: number, compound: boolean): number[] {
  if (compound) return beatsPerBar === 2 ? [2, 3, 6] : [beatsPerBar, 3 * beatsPerBar]
  if (beatsPerBar === 6) return [6, 3, 2]
  const two = metre === '2/2' || (metre === '4/4' && COUNTED_IN_TWO.includes(kind))
  return beatsPerBar === 2 ? [2, 4] : two ? [4, 2] : [beatsPerBar]
}

function setOf(
  first: Piece,
  shelf: readonly Piece[],
  { beats, bpm }: { beats: number; bpm: number },
  random: Random,
): Pass[] {
  const passes: Pass[] = []
  const others = shelf.filter(
    ({ metre, kind }) => metre === first.metre && kind === first.kind && !IN_PARTS.includes(kind),
  )
  const medley = random() < MEDLEYS && others.length > 1
  let [piece, shift, times] = [first, shiftOf(first, random), 0]
  for (let at = 0; at < beats; at += piece.bars * piece.beatsPerBar) {
    if (medley && times === 2) {
      const next = pick(random, others)
      // The same beat as before: what is counted in halves stays so.
      piece = scaled(next, first.beatsPerBar / next.beatsPerBar)
      ;[shift, times] = [shiftOf(piece, random), 0]
    }
    passes.push({ piece, at, shift })
    times += piece.bars * piece.beatsPerBar * (60 / bpm) > 20 ? 2 : 1
  }
  return passes
}

/** Semitones by which a piece is moved, its highest and lowest notes within what most players have. */
function shiftOf({ notes }: Piece, random: Random): number {
  const highest = Math.max(...notes.map(([, , pitch]) => pitch))
  return Math.min(whole(random, -6, 7), 96 - highest)
}

/** What a piece's parts play, each pass at its place, louder and softer as a player does. */
function* notesOf(passes: readonly Pass[], beats: number, random: Random): Generator<Played> {
  const [first, beat, between] = pick(random, ACCENTS)
  const held = pick(random, [0.6, 0.85, 0.95, 1.02])
  const spread = 0.03 + 0.1 * random()
  for (const { piece, at, shift } of passes)
    for (const [start, duration, pitch, part] of piece.notes) {
      const place = at + start
      if (place < 0 || place >= beats) continue
      const onBeat = Math.abs(place - Math.round(place)) < 0.01
      const onFirst = onBeat && Math.round(place) % piece.beatsPerBar === 0
      const accent = onFirst ? first : onBeat ? beat : between
      yield {
        start: place,
        duration: duration * held,
        gain: accent * Math.exp(spread * gaussian(random)),
        pitch: pitch + shift,
        part,
        parts: piece.parts,
      }
    }
}

interface Played {
  start: number
  duration: number
  gain: number
  pitch: number
  part: number
  parts: number
}

/** A tune with its graces, sometimes in two voices, and what is laid under it. */
function tuneSounds(
  passes: readonly Pass[],
  setting: Setting,
  ground: Ground & { bpm: number },
  random: Random,
): Sound[] {
  const voice = pick(random, setting.voices)[0]!
  const second =
    setting.production !== 'solo' && random() < 0.5 ? pick(random, setting.voices)[0]! : voice
  const octave = random() < 0.12 ? -12 : 0
  const graced = pick(random, [0, 0, 0.03, 0.1])
  const grace = (GRACE * ground.bpm) / 60
  const sounds: Sound[] = []
  for (const { start, duration, gain, pitch } of notesOf(passes, ground.beats, random)) {
    const add = (from: number, until: number, height: number, share = 1) =>
      sounds.push({
        start: from,
        duration: until - from,
        gain: 0.11 * gain * share,
        voice,
        pitch: pitch + octave + height,
      })
    const end = start + duration
    const ornament = duration > 3 * grace && random() < graced
    if (ornament && duration > 8 * grace && random() < 0.5) {
      // A roll: the note three times, cut from above and from below.
      const third = (start * 2 + end) / 3
      const last = (start + end * 2) / 3
      add(start, third - grace, 0)
      add(third - grace, third, 2, 0.6)
      add(third, last - grace, 0, 0.9)
      add(last - grace, last, -2, 0.6)
      add(last, end, 0, 0.9)
    } else if (ornament) {
      add(start, start + grace, pick(random, [2, 1, -2]), 0.6)
      add(start + grace, end, 0)
    } else add(start, end, 0)
  }
  if (second !== voice)
    for (const sound of sounds.slice()) sounds.push({ ...sound, voice: second, gain: 0.07 })
  const chordAt = harmonyOf(passes, ground, random)
  const under = { ...ground, chordAt }
  if (setting.drone) {
    const tonic = ((passes[0]!.piece.key?.tonic ?? 0) + passes[0]!.shift + 12) % 12
    for (let at = 0; at < ground.beats; at += 4 * ground.beatsPerBar)
      for (const pitch of [48 + tonic, 55 + tonic])
        sounds.push({ start: at, duration: 4 * ground.beatsPerBar, gain: 0.06, voice, pitch })
  }
  if (setting.chords || setting.bass)
    sounds.push(
      ...backing(
        under,
        {
          ...(setting.chords && { chords: pick(random, setting.chords) }),
          ...(setting.bass && { bass: setting.bass }),
        },
        random,
      ),
    )
  return sounds
}

/** What is written in parts, each by the voice of its place. */
function partSounds(
  passes: readonly Pass[],
  { voices }: Setting,
  { beats }: Ground,
  random: Random,
): Sound[] {
  const band = pick(random, voices)
  return Array.from(
    notesOf(passes, beats, random),
    ({ start, duration, gain, pitch, part, parts }) => ({
      start,
      duration,
      gain: gain * (part === 0 ? 0.11 : 0.09),
      voice: band[Math.min(band.length - 1, Math.floor((part * band.length) / parts))]!,
      pitch,
    }),
  )
}

/** Where the halves of quarter notes become long and short; in dances of 2/4, those of eighths. */
function swing({ unit, metre, kind }: Piece, random: Random): (beat: number) => number {
  const long = 0.56 + 0.11 * random()
  const pairs = metre === '2/4' && COUNTED_IN_TWO.includes(kind) ? 2 * unit : unit
  return (beat) => {
    const place = beat * pairs + 1e-6
    const before = Math.floor(place)
    const part = place - before
    return (before + (part < 0.5 ? 2 * long * part : long + (part - 0.5) * 2 * (1 - long))) / pairs
  }
}

function warped(sound: Sound, warp: (beat: number) => number): Sound {
  const start = warp(sound.start)
  return { ...sound, start, duration: warp(sound.start + sound.duration) - start }
}
