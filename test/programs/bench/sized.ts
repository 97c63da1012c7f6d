/** How much is measured: with `--small` a little, which tells that a part runs and nothing else. */
export function sized(usual: number, small: number): number {
  return process.argv.includes('--small') ? small : usual
}
