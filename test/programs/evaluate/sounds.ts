import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFile } from '../../../src/audio/decode.ts'
import { SoundListener, SPARSE } from '../../../src/sounds/hearing.ts'
import { SOUND_MODEL } from '../../../src/sounds/known-model.ts'
import { patchOf } from '../../../src/sounds/log-mel.ts'
import { readNetwork } from '../../../src/sounds/read-network.ts'
import { INSTRUMENT_FAMILIES } from '../../../src/sounds/sound-classes.ts'
import { openSoundNetwork } from '../../../src/sounds/sound-model.ts'
import { SoundNetwork } from '../../../src/sounds/sound-network.ts'
import { packedMoments, type Timeline, timelineOf } from '../../../src/sounds/timeline.ts'
import {
  type HeardSummary,
  type Instrument,
  instrumentsOf,
  summaryOf,
} from '../../../src/sounds/whole.ts'
import { ParameterError } from '../../../src/values/errors.ts'
import { hearFile } from '../../../src/workers/hear-file.ts'
import { plainHearing } from '../../sounds/plain-layers.ts'
import { seeded } from '../../support/music.ts'

const MODEL = 'yamnet_spectra_in.tflite'

interface Row {
  title: string
  value: number
  goal: number
  atMost: boolean
}

/**
 * Compares the network with its reference vectors, damages its file, and measures what hearing costs.
 * With a folder of heard-material.py it also measures what is heard.
 *
 * @param data - the folder with `models`
 * @returns whether every goal is reached
 */
export async function evaluateSounds(data: string, material: string | undefined): Promise<boolean> {
  const folder = join(data, 'models')
  if (!existsSync(join(folder, MODEL))) {
    console.log(`There is no network in ${folder}; nothing to evaluate.`)
    return true
  }
  const file = readFileSync(join(folder, MODEL))
  const rows = [
    ...compareReference(folder, file),
    ...(await refuseDamaged(file)),
    ...(await measureCost(join(folder, MODEL))),
    ...(material === undefined ? [] : await measureHearing(material, file)),
  ]
  for (const { title, value, goal, atMost } of rows) {
    const isReached = atMost ? value <= goal : value >= goal
    const bound = `${atMost ? '<=' : '>='} ${goal}`
    console.log(`${isReached ? ' ' : '!'} ${title.padEnd(58)} ${value.toPrecision(3)} (${bound})`)
  }
  return rows.every(({ value, goal, atMost }) => (atMost ? value <= goal : value >= goal))
}

const least = (title: string, value: number, goal: number): Row => ({
  ...{ title, value, goal },
  atMost: false,
})
const most = (title: string, value: number, goal: number): Row => ({
  ...{ title, value, goal },
  atMost: true,
})

/** The reference patch is of the audio scaled to its peak, with a floor of 0.01 in place of 0.001. */
function compareReference(folder: string, file: Uint8Array): Row[] {
  const bytes = (name: string) => new Uint8Array(readFileSync(join(folder, name))).buffer
  const audio = new Int16Array(bytes('yamnet_test_audio.bin'))
  const spectra = new Float32Array(bytes('yamnet_test_spectra.bin'))
  const peak = audio.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
  const patch = patchOf(Float32Array.from(audio, (sample) => sample / peak))
  const errors = patch.map((level, i) =>
    Math.abs(Math.log(Math.exp(level) - 0.001 + 0.01) - spectra[i]!),
  )
  const read = readNetwork(file)
  const scores = new SoundNetwork(read).hear(spectra)
  const plain = plainHearing(read, spectra)
  return [
    most('front end: largest difference from the vectors, nepers', Math.max(...errors), 1e-5),
    most(
      'layers: scores that differ from the plain reference',
      scores.filter((score, i) => score !== plain[i]).length,
      0,
    ),
    least('the spoken sentence is speech', scores[0]!, 2),
  ]
}

async function refuseDamaged(file: Uint8Array): Promise<Row[]> {
  const random = seeded(57)
  const before = process.memoryUsage()
  let [refused, largest] = [0, 0]
  const variants = 240
  for (let i = 0; i < variants; i++) {
    let bytes = new Uint8Array(file)
    const kind = i % 4
    if (kind === 0) bytes = bytes.slice(0, Math.floor(random() * bytes.length))
    else if (kind === 1)
      bytes[Math.floor(random() * bytes.length)]! ^= 1 + Math.floor(random() * 255)
    else if (kind === 2)
      bytes.fill(255 * (i % 8 === 2 ? 1 : 0), Math.floor(random() * bytes.length))
    else bytes = bytes.map(() => 256 * random()).slice(0, 1 + Math.floor(random() * 9e6))
    // Behind the checksum the reader itself must refuse it, or make a network of the same size.
    try {
      new SoundNetwork(readNetwork(bytes))
    } catch {}
    const failed = await openSoundNetwork(bytes).catch((error: unknown) => error)
    if (failed instanceof ParameterError && failed.message.length > 40) refused++
    const now = process.memoryUsage()
    largest = Math.max(largest, now.arrayBuffers - before.arrayBuffers)
  }
  return [
    least(`damaged, cut and foreign files refused of ${variants}`, refused, variants),
    most('bytes held at most while they were read, MB', largest / 1e6, 64),
  ]
}

/** A minute of chords and noise as a WAV file, decoded and heard, in seconds of the processor. */
async function measureCost(path: string): Promise<Row[]> {
  const rate = 44_100
  const random = seeded(5)
  const wav = Buffer.alloc(44 + 60 * rate * 4)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 4, 28)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(wav.length - 44, 40)
  for (let i = 0; i < 60 * rate; i++) {
    const value = 6_000 * Math.sin(i / 20) + 4_000 * Math.sin(i / 31) + 2_000 * random()
    wav.writeInt16LE(Math.round(value), 44 + 4 * i)
    wav.writeInt16LE(Math.round(value / 2), 46 + 4 * i)
  }
  const song = join(mkdtempSync(join(tmpdir(), 'audile-sounds-')), 'minute.wav')
  writeFileSync(song, wav)
  const model = { path, sha256: SOUND_MODEL.sha256 as string }
  const hear = (every: number) => hearFile({ path: song, decode: {}, model, every }, () => {})
  await hear(SPARSE)
  const cost = async (every: number) => {
    const before = process.cpuUsage()
    await hear(every)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
  return [
    most('CPU s a minute of WAV, values of the whole', await cost(SPARSE), 0.25),
    most('CPU s a minute of WAV, timeline', await cost(1), 0.6),
  ]
}

/** A clip of heard-material.py: its name, its kind, and what is in it. */
type Clip = [name: string, kind: string, about: (number | string)[]]

interface HeardClip {
  kind: string
  about: (number | string)[]
  packed: Uint8Array
  dense: HeardSummary
  sparse: HeardSummary
  timeline: Timeline
  instruments: Instrument[]
}

async function measureHearing(material: string, file: Uint8Array): Promise<Row[]> {
  const network = await openSoundNetwork(file)
  const clips = JSON.parse(readFileSync(join(material, 'clips.json'), 'utf8')) as Clip[]
  const heard: HeardClip[] = []
  for (const [name, kind, about] of clips) {
    const [dense, sparse] = [1, SPARSE].map((every) => new SoundListener(network, 16_000, every))
    let seconds = 0
    for await (const { channels, sampleRate } of decodeFile(join(material, `${name}.wav`))) {
      for (const listener of [dense!, sparse!]) listener.push(channels)
      seconds += channels[0]!.length / sampleRate
    }
    const [all, third] = [dense!.finish(), sparse!.finish()]
    const packed = packedMoments(all)
    heard.push({
      ...{ kind, about, packed },
      dense: summaryOf(all, packed),
      sparse: summaryOf(third, packedMoments(third)),
      timeline: timelineOf(packed, 1, seconds),
      instruments: instrumentsOf(all),
    })
  }
  const of = (...kinds: string[]) => heard.filter(({ kind }) => kinds.includes(kind))
  const [sung, plain] = [of('sung'), of('instrumental', 'solo', 'recorded')]
  const voice = (clip: HeardClip, from: 'dense' | 'sparse' = 'sparse') =>
    1 - clip[from].instrumentalness!
  const curve = (from: 'dense' | 'sparse') =>
    areaUnderCurve(
      sung.map((clip) => voice(clip, from)),
      plain.map((clip) => voice(clip, from)),
    )
  const spoken = (clip: HeardClip) => clip.sparse.speechiness!
  const inside: number[] = []
  const outside: number[] = []
  for (const { about, packed } of sung)
    for (let patch = 0; patch < packed.length / 3; patch++) {
      // Four loudnesses of the voice a second, 0 to 100.
      const part = about.slice(Math.floor(patch * 3.84), Math.floor((patch + 1) * 3.84) + 1)
      const share = part.filter((level) => Number(level) > 30).length / Math.max(1, part.length)
      if (share > 0.6) inside.push(packed[patch]!)
      else if (share < 0.1) outside.push(packed[patch]!)
    }
  const clapping = of('applause').filter(({ about, timeline }) =>
    timeline.applause.some(
      ({ start, duration }) => start < Number(about[0]) + 8 && start + duration > Number(about[0]),
    ),
  )
  const silent = of('sung', 'instrumental', 'solo', 'recorded', 'speech')
  const families = of('solo').filter(({ about, instruments }) => {
    const first = instruments.find(({ name }) => name in INSTRUMENT_FAMILIES)
    return first?.name === about[0]
  })
  const told = of('solo').filter(({ instruments }) => instruments.length > 0)
  console.log(
    `${sung.length} sung, ${plain.length} without voice, ${of('speech').length} spoken, ${of('applause').length} with applause, ${of('solo').length} solos (${told.length} with a word)`,
  )
  console.log(calibrationOf([...sung, ...plain].map((clip) => [voice(clip), clip.kind === 'sung'])))
  return [
    least('voice, clips: area under the curve, every patch', curve('dense'), 0.98),
    least('voice, clips: area under the curve, every third patch', curve('sparse'), 0.98),
    least(
      'voice told of clips with one',
      shareOf(sung, (clip) => voice(clip) >= 0.5),
      0.9,
    ),
    least(
      'no voice told of clips without',
      shareOf(plain, (clip) => voice(clip) < 0.5),
      0.9,
    ),
    least('where the voice is: area under the curve', areaUnderCurve(inside, outside), 0.92),
    least(
      'speech against music: area under the curve',
      areaUnderCurve(of('speech').map(spoken), [...sung, ...plain].map(spoken)),
      0.98,
    ),
    least('applause at 0 dB caught', clapping.length / Math.max(1, of('applause').length), 0.85),
    most(
      'clips with applause told and none there',
      silent.filter(({ timeline }) => timeline.applause.length > 0).length,
      0,
    ),
    least('first family of solos', families.length / Math.max(1, of('solo').length), 0.8),
  ]
}

function shareOf<T>(list: readonly T[], is: (one: T) => boolean): number {
  return list.filter(is).length / Math.max(1, list.length)
}

/** How often a value of the first list is higher than one of the second; equal ones count half. */
function areaUnderCurve(higher: readonly number[], lower: readonly number[]): number {
  let sum = 0
  for (const a of higher) for (const b of lower) sum += a > b ? 1 : a === b ? 0.5 : 0
  return sum / Math.max(1, higher.length * lower.length)
}

/** How many of those told a confidence have a voice, by fifths. */
function calibrationOf(told: readonly (readonly [confidence: number, is: boolean])[]): string {
  const fifths = [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const own = told.filter(([value]) => value >= from && (value < from + 0.2 || from === 0.8))
    return `${from.toFixed(1)}–${(from + 0.2).toFixed(1)}: ${own.filter(([, is]) => is).length} of ${own.length}`
  })
  return `voice by confidence: ${fifths.join(', ')}`
}
