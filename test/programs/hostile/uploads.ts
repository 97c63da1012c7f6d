import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Memory may grow by so many megabytes from the first half, warmed up, to the second one. */
const MOST_GROWTH = 40

interface Told {
  uploads: number
  failed: number
  megabytes: number
}

/**
 * Uploads so many clips, each another one, in an application of its own with the built package, and
 * prints its memory after each tenth.
 *
 * @returns which rules were broken: an upload failed, or memory grows with their number
 */
export async function runUploads(count: number): Promise<string[]> {
  const script = fileURLToPath(new URL('./uploader.mjs', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', script, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const told: Told[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const one = JSON.parse(line) as Told
    told.push(one)
    console.log(`${one.uploads} uploads: ${one.megabytes} MB`)
  }
  const broken: string[] = []
  const code = await ended
  const last = told.at(-1)
  if (code !== 0 || last?.uploads !== count) broken.push(`the application ended with code ${code}`)
  if (last && last.failed > 0) broken.push(`${last.failed} uploads failed`)
  // What has been collected at one moment is a matter of chance, so a single figure says little.
  const warm = told.slice(1).map(({ megabytes }) => megabytes)
  const half = Math.ceil(warm.length / 2)
  const growth = median(warm.slice(half)) - median(warm.slice(0, half))
  console.log(`from the first half to the second: ${growth} MB`)
  if (growth > MOST_GROWTH) broken.push(`memory grew by ${growth} MB over ${count} uploads`)
  return broken
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
