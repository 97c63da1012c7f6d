import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The message says which argument is wrong and why. */
export class UsageError extends Error {}

/** @throws {UsageError} on an unknown option or a value that an option does not take */
export function readOptions<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    // The rest of Node's message guesses that a path begins with a dash.
    const [what] = (error as Error).message.split(/\.(?:\s|$)/)
    const remedy = config.allowPositionals
      ? ' A path that begins with a dash goes behind "--".'
      : ''
    throw new UsageError(`${what}.${remedy}`)
  }
}

/** @throws {UsageError} when the value of an option is not a whole number from 1 to `maximum` */
export function wholeNumber(
  option: string,
  text: string | undefined,
  maximum: number,
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= maximum) return value
  throw new UsageError(`${option} takes a whole number from 1 to ${maximum}, not "${text}".`)
}

/** @throws {UsageError} when the value of `--ffmpeg` is empty */
export function requireFfmpeg(ffmpeg: string | undefined): void {
  if (ffmpeg === '') throw new UsageError('--ffmpeg needs a path or the name of a program.')
}

/** @throws {UsageError} when a path is empty */
export function requirePaths(paths: readonly string[]): void {
  if (paths.includes('')) throw new UsageError('A path is empty; "." is the current folder.')
}
