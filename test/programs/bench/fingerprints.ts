import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFile } from '../../../src/audio/decode.ts'
import { encodeCodes } from '../../../src/recognition/systems/codes.ts'
import type { EchoprintKernel } from '../../../src/recognition/systems/echoprint/kernel.ts'
import { createEchoprintKernel } from '../../../src/recognition/systems/echoprint/simd.ts'
import { computeEchoprint, EchoprintCoder } from '../../../src/recognition/systems/echoprint.ts'
import { ECHOPRINT_SYSTEM } from '../../../src/recognition/systems/version.ts'
import { plainKernel } from '../../recognition/plain-kernel.ts'
import { waveBytes } from '../../support/clips.ts'
import { joined } from '../../support/decoded.ts'
import { integerClip } from '../../support/integer-clips.ts'
import { sized } from './sized.ts'
import { speed } from './speed.ts'

const REPEATS = sized(3, 1)

/**
 * Speed of making Echoprint's codes as seconds of audio per CPU second, against Chromaprint's
 * `fpcalc` over the same file where that program is installed, in one run.
 */
export async function benchFingerprints(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  try {
    const minute = [integerClip('saw'), integerClip('bursts')]
    const samples = joined(Array.from({ length: 10 }, () => minute).flat())
    const { sampleRate } = ECHOPRINT_SYSTEM
    const seconds = samples.length / sampleRate
    const file = join(folder, 'clip.wav')
    writeFileSync(file, await waveBytes({ samples: [samples], sampleRate }))
    console.log(
      `\nFingerprints of ${seconds} s of mono at ${sampleRate} Hz, x real time on one core`,
    )
    const peer = fpcalc(file, seconds)
    const row = (name: string, x: number) => {
      const ratio = peer === undefined ? '' : `   ${(x / peer).toFixed(2).padStart(5)} of fpcalc`
      console.log(`  ${name.padEnd(78)} ${x.toFixed(0).padStart(5)}x${ratio}`)
    }
    const kernels: [string, EchoprintKernel][] = [
      ['TypeScript', plainKernel()],
      ['WebAssembly with SIMD', createEchoprintKernel()],
    ]
    for (const [name, kernel] of kernels) {
      const make = () => encodeCodes('echoprint', computeEchoprint(samples, { kernel }).codes)
      row(`Echoprint codes and their string, ${name}, samples given`, await speed(make, seconds))
    }
    row('Echoprint codes of the wav file', await speed(() => codesOfFile(file), seconds))
    if (peer === undefined) console.log('  fpcalc is not installed; nothing to compare with')
    else row('fpcalc, the wav file', peer)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function codesOfFile(file: string): Promise<unknown> {
  const coder = new EchoprintCoder()
  for await (const { channels } of decodeFile(file)) coder.push(channels[0]!)
  return coder.finish()
}

/** The speed of fpcalc, its start included; undefined where it is not installed. */
function fpcalc(file: string, seconds: number): number | undefined {
  if (spawnSync('fpcalc', ['-version']).status !== 0) return undefined
  let best = 0
  for (let i = 0; i < REPEATS; i++) {
    // The shell knows what its children spent: the second line, user and system.
    // Some builds report the end of the file as an error, after their answer.
    const command = 'fpcalc -length 0 "$0" >/dev/null 2>&1; times'
    const { stdout } = spawnSync('sh', ['-c', command, file], { encoding: 'utf8' })
    const spent = stdout.trim().split('\n').at(-1) ?? ''
    const cpu = [...spent.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest),
      0,
    )
    best = Math.max(best, seconds / cpu)
  }
  return best
}
