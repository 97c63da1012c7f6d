import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeFile } from '../../../src/audio/decode.ts'
import type { Codes } from '../../../src/recognition/systems/codes.ts'
import { decodeCode } from '../../../src/recognition/systems/decode-code.ts'
import type { EchoprintKernel } from '../../../src/recognition/systems/echoprint/kernel.ts'
import { createEchoprintKernel } from '../../../src/recognition/systems/echoprint/simd.ts'
import { EchoprintCoder } from '../../../src/recognition/systems/echoprint.ts'
import { ECHOPRINT_SYSTEM } from '../../../src/recognition/systems/version.ts'
import { plainKernel } from '../../recognition/plain-kernel.ts'

const ENDING = '.echoprint.json'

/** What of the original generator's answer is used here. */
interface Answer {
  metadata: {
    filename: string
    version: number
    /** Seconds; 0 for all of the file. */
    given_duration: number
    start_offset: number
  }
  code_count: number
  code: string
}

/** One vector: the generator's codes and what ours are compared with them. */
interface Agreement {
  name: string
  pairs: number
  /** Pairs that are the same at the same place, by kernel. */
  equal: number[]
  /** Whether all lists are equal: codes, times and, where they are known, onsets. */
  same: boolean
}

/**
 * Compares the codes of Echoprint with those that the original generator made of the same files, and
 * prints the share of (code, time) pairs that are equal, each at its place. `folder` holds the
 * generator's answers as NAME.echoprint.json and the files they speak of.
 *
 * @returns how many files have other codes
 */
export async function evaluateVectors(folder: string): Promise<number> {
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(ENDING))
        .map((file) => file.slice(0, -ENDING.length))
    : []
  if (names.length === 0) {
    console.log(`There are no fingerprint vectors in ${folder}.`)
    return 0
  }
  const kernels: [string, EchoprintKernel][] = [
    ['plain', plainKernel()],
    ['SIMD', createEchoprintKernel()],
  ]
  const title = (text: string) => text.padEnd(34)
  const cell = (value: string | number) => String(value).padStart(10)
  console.log(
    `${title('Echoprint pairs as the original')}${['pairs', ...kernels.map(([name]) => name)].map(cell).join('')}`,
  )
  let other = 0
  const sums = { pairs: 0, equal: kernels.map(() => 0) }
  for (const name of names) {
    const { pairs, equal, same } = await compare(folder, name, kernels)
    if (!same) other++
    sums.pairs += pairs
    for (const [i, count] of equal.entries()) sums.equal[i]! += count
    console.log(
      `${title(name)}${cell(pairs)}${equal.map(cell).join('')}  ${same ? 'the same' : 'NOT THE SAME'}`,
    )
  }
  const shares = sums.equal.map((count) => `${((100 * count) / sums.pairs).toFixed(2)} %`)
  console.log(`${title(`${names.length} files`)}${cell(sums.pairs)}${shares.map(cell).join('')}\n`)
  return other
}

async function compare(
  folder: string,
  name: string,
  kernels: readonly [string, EchoprintKernel][],
): Promise<Agreement> {
  const [answer] = JSON.parse(readFileSync(join(folder, name + ENDING), 'utf8')) as [Answer]
  const wanted = codesOf(answer)
  const wantedOnsets = onsetsOf(join(folder, `${name}.decoded.json`))
  const made = await fingerprint(folder, answer, kernels)
  const pairs = wanted.codes.length
  const equal = made.map(({ codes }) => equalPairs(codes, wanted))
  const same = made.every(
    ({ codes, onsets }, i) =>
      equal[i] === pairs &&
      codes.codes.length === answer.code_count &&
      (!wantedOnsets || JSON.stringify(onsets.map((o) => [...o])) === wantedOnsets),
  )
  return { name, pairs, equal, same }
}

function codesOf({ code, metadata }: Answer): Codes {
  const none = { codes: new Uint32Array(0), times: new Uint32Array(0) }
  if (code === '') return none
  const decoded = decodeCode(code, metadata.version)
  if (decoded.codes === undefined) throw new Error(decoded.message)
  return decoded.codes
}

/** The onsets by band as JSON, if they are known. */
function onsetsOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const { onset_frames_by_band: onsets } = JSON.parse(readFileSync(file, 'utf8')) as {
    onset_frames_by_band?: number[][]
  }
  return onsets && JSON.stringify(onsets)
}

/** Our codes of that part of the file, by every kernel. */
async function fingerprint(
  folder: string,
  { metadata }: Answer,
  kernels: readonly [string, EchoprintKernel][],
) {
  const { start_offset: startOffset, given_duration: duration } = metadata
  const coders = kernels.map(([, kernel]) => new EchoprintCoder({ startOffset, kernel }))
  const from = startOffset * ECHOPRINT_SYSTEM.sampleRate
  const to = duration > 0 ? from + duration * ECHOPRINT_SYSTEM.sampleRate : Number.POSITIVE_INFINITY
  let at = 0
  for await (const { channels, sampleRate } of decodeFile(join(folder, metadata.filename))) {
    if (sampleRate !== ECHOPRINT_SYSTEM.sampleRate || channels.length !== 1) {
      throw new Error(`${metadata.filename} is not mono at ${ECHOPRINT_SYSTEM.sampleRate} Hz.`)
    }
    const samples = channels[0]!
    const part = samples.subarray(Math.max(0, from - at), Math.max(0, to - at))
    for (const coder of coders) coder.push(part)
    at += samples.length
  }
  return coders.map((coder) => coder.finish())
}

function equalPairs(made: Codes, wanted: Codes): number {
  let equal = 0
  for (const [i, code] of wanted.codes.entries()) {
    if (made.codes[i] === code && made.times[i] === wanted.times[i]) equal++
  }
  return equal
}
