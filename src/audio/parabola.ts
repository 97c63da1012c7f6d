/**
 * Where the parabola through three neighbouring values has its top, −0.5…0.5 from the middle one; 0
 * where it has none.
 */
export function parabolaTop(before: number, middle: number, after: number): number {
  const bend = before - 2 * middle + after
  if (bend >= 0) return 0
  return Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend))
}
