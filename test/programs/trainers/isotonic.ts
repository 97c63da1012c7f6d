/** A raw certainty, whether what it was of was right (0…1), and how much the case counts. */
export interface Case {
  raw: number
  right: number
  share: number
}

type Point = [raw: number, right: number]

/**
 * The rising table that says what raw certainties are worth: isotonic regression (pool adjacent
 * violators), read off at the means of `bins` equally large groups of cases. Never 0 or 1.
 *
 * @param ends  points that extend the table to where there are no cases
 */
export function calibrationTable(
  cases: readonly Case[],
  ends: { first: Point; last?: Point },
  bins = 8,
): Point[] {
  const sorted = [...cases].sort((a, b) => a.raw - b.raw)
  const pools: { right: number; share: number; count: number }[] = []
  for (const { right, share } of sorted) {
    pools.push({ right, share, count: 1 })
    for (;;) {
      const last = pools.at(-1)!
      const before = pools.at(-2)
      if (before === undefined || before.right < last.right) break
      pools.splice(-2, 2, {
        right:
          (before.right * before.share + last.right * last.share) / (before.share + last.share),
        share: before.share + last.share,
        count: before.count + last.count,
      })
    }
  }
  const fitted = pools.flatMap(({ right, count }) => Array.from({ length: count }, () => right))
  const table: Point[] = [ends.first]
  for (const group of groups(
    sorted.map((item, i) => ({ ...item, fitted: fitted[i]! })),
    bins,
  )) {
    const share = sum(group, (item) => item.share)
    const raw = sum(group, (item) => item.raw * item.share) / share
    const right = sum(group, (item) => item.fitted * item.share) / share
    add(table, [raw, Math.min(0.99, right)])
  }
  if (ends.last) add(table, ends.last)
  return table.map(([raw, right]) => [rounded(raw), rounded(right)])
}

/** Appends a point that goes on rising, visibly. */
function add(table: Point[], [raw, right]: Point): void {
  const [lastRaw, lastRight] = table.at(-1)!
  if (rounded(raw) > rounded(lastRaw)) table.push([raw, Math.max(right, lastRight)])
}

/** Prints, for fifths of the cases by confidence, the mean confidence and the share right. */
export function printReliability(
  title: string,
  cases: readonly { confidence: number; right: number; share: number }[],
): void {
  const sorted = [...cases].sort((a, b) => a.confidence - b.confidence)
  let error = 0
  const all = sum(sorted, ({ share }) => share)
  const columns = groups(sorted, 5).map((group) => {
    const share = sum(group, (item) => item.share)
    const confidence = sum(group, (item) => item.confidence * item.share) / share
    const right = sum(group, (item) => item.right * item.share) / share
    error += (Math.abs(confidence - right) * share) / all
    return `${confidence.toFixed(2)}→${right.toFixed(2)}`
  })
  console.log(`  ${title.padEnd(16)}${columns.join('  ')}  expected error ${error.toFixed(3)}`)
}

/** Cuts a sorted list into groups of equal total share. */
function groups<T extends { share: number }>(sorted: readonly T[], count: number): T[][] {
  const total = sum(sorted, ({ share }) => share)
  const lists: T[][] = Array.from({ length: count }, () => [])
  let before = 0
  for (const item of sorted) {
    const at = Math.floor(((before + item.share / 2) / total) * count)
    lists[Math.min(count - 1, at)]!.push(item)
    before += item.share
  }
  return lists.filter((list) => list.length > 0)
}

function sum<T>(list: readonly T[], value: (item: T) => number): number {
  return list.reduce((total, item) => total + value(item), 0)
}

/** To hundredths, which are finer than what they are learnt from. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
