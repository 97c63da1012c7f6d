import { describe, expect, it } from 'vitest'
import { FeedPages } from '../../src/catalog/feed-pages.ts'

describe('FeedPages', () => {
  /** Pages of documents 1 … 1000, and how often a walk was begun. */
  function library() {
    const pages = new FeedPages()
    let begun = 0
    const page = (name: string, start: number) =>
      pages.readPage(
        name,
        { start, results: 10 },
        () => {
          begun++
          return 1000
        },
        (_upTo, most) => Int32Array.from({ length: Math.min(most, 1000) }, (_, i) => 1000 - i),
      )
    return { page, begun: () => begun }
  }

  it('remembers 200 walks, and forgets those that nobody goes on with', () => {
    const { page, begun } = library()
    page('left', 0)
    page('walked', 0)
    for (let i = 0; i < 198; i++) {
      page(`other ${i}`, 0)
      page('walked', 10)
    }
    expect(begun()).toBe(200)
    // The 201st: `left` is the one that was asked for longest ago.
    page('another', 0)
    page('walked', 20)
    expect(begun()).toBe(201)
    page('left', 10)
    expect(begun()).toBe(202)
  })

  it('gives the same page again, of a walk that was forgotten too', () => {
    const { page } = library()
    const first = [...page('a', 10)]
    for (let i = 0; i < 300; i++) page(`other ${i}`, 0)
    expect([...page('a', 10)]).toEqual(first)
    expect(first).toEqual([990, 989, 988, 987, 986, 985, 984, 983, 982, 981])
  })
})
