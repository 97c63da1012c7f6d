import { describe, expect, it } from 'vitest'
import { indexOf } from '../support/code-index.ts'
import { codes, match, PLAIN_RULES as RULES } from '../support/match-rules.ts'
import { seeded } from '../support/music.ts'

const random = seeded(4)
/** So many codes that nothing else has, one every ten units of time. */
function own(count: number, from = 0): [code: number, time: number][] {
  return Array.from({ length: count }, (_, i) => [
    Math.floor(random() * 2 ** 19) + 2 ** 19,
    from + 10 * i,
  ])
}

describe('what speaks for a song', () => {
  const song = own(100)

  it('has to be a share of all the codes of the query, those that no song has included', () => {
    const others = own(900).map(([code], i) => [code, 10 * (i % 100) + 1] as const)
    const query = codes([...song, ...others])
    const index = indexOf([codes(song)])
    expect(match(query, index, { ...RULES, share: 0.05 })).toHaveLength(1)
    expect(match(query, index, { ...RULES, share: 0.15 })).toEqual([])
  })

  it('counts less where it lies in one part of the query', () => {
    const long = own(500)
    const index = indexOf([codes(long)])
    const even = long.map(([code, time], i) => [i % 5 === 0 ? code : i, time] as const)
    const part = long.map(([code, time], i) => [i < 100 ? code : i, time] as const)
    const [spread] = match(codes(even), index, RULES)
    const [lump] = match(codes(part), index, RULES)
    expect(lump!.agreeing).toBe(spread!.agreeing)
    expect(lump!.score).toBeLessThan(0.3 * spread!.score)
  })

  it('counts less where every song has it', () => {
    const common = Array.from({ length: 60 }, (_, i) => [i, 10 * i] as const)
    const alone = indexOf([codes(common)])
    const everywhere = indexOf(
      Array.from({ length: 40 }, (_, s) =>
        codes(common.map(([code, time]) => [code, time + (s === 0 ? 0 : 37 * (s + code))])),
      ),
    )
    const [rare] = match(codes(common), alone, RULES)
    const [frequent] = match(codes(common), everywhere, RULES)
    expect(rare!.score).toBeGreaterThan(50)
    expect(frequent!.song).toBe(0)
    expect(frequent!.score).toBeLessThan(0.5 * rare!.score)
  })

  it('counts less where the song has it again and again', () => {
    const again = song.flatMap(([code, time]) =>
      Array.from({ length: 8 }, (_, i) => [code, time + 10_007 * i] as const),
    )
    const [once] = match(codes(song), indexOf([codes(song)]), RULES)
    const [often] = match(codes(song), indexOf([codes(again)]), RULES)
    expect(often!.agreeing).toBe(once!.agreeing)
    expect(often!.score).toBeLessThan(0.4 * once!.score)
  })

  it('is not read where a code occurs too often to tell anything', () => {
    const often = Array.from({ length: 1_500 }, (_, i) => [7, 3 * i] as const)
    const index = indexOf([codes([...song, ...often])])
    const asked: number[] = []
    const noting = {
      ...index,
      postings: (code: number) => {
        asked.push(code)
        return index.postings(code)
      },
    }
    expect(match(codes([...song, [7, 3]]), noting, RULES)).toHaveLength(1)
    expect(asked).toHaveLength(100)
    expect(asked).not.toContain(7)
  })

  it('may lie in adjacent bins, as times are rounded', () => {
    const shaken = song.map(([code, time], i) => [code, time + (i % 3) * 2] as const)
    const [found] = match(codes(song), indexOf([codes(shaken)]), RULES)
    expect(found?.agreeing).toBe(100)
  })

  it('has to be enough for each of several entries of one recording', () => {
    // Of the second entry a few codes only are left.
    const damaged = song.slice(0, 8)
    const index = indexOf([codes(song), codes(damaged)])
    const found = match(codes(song), index, RULES, () => 1)
    expect(found.map(({ song: entry }) => entry)).toEqual([0])
  })

  it('has to be as much in an index of one song as in one of a hundred', () => {
    const rules = { ...RULES, floor: 200, growth: 30 }
    const few = match(codes(song), indexOf([codes(song)]), rules)
    const many = match(codes(song), { ...indexOf([codes(song)]), songs: 100 }, rules)
    expect(many).toEqual([])
    expect(few).toEqual([])
  })

  it('speaks for two entries that are known to be one recording, whatever codes they have', () => {
    const [one, other] = [own(60), own(60, 5)]
    const index = indexOf([codes(one), codes(other)])
    const query = codes([...one, ...other])
    expect(match(query, index, RULES)).toEqual([])
    expect(match(query, index, RULES, () => 1)).toHaveLength(2)
  })
})
