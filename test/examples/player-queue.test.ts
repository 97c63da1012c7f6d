import { describe, expect, it } from 'vitest'
import { Queue } from '../support/player-modules.ts'

const LIST = ['a', 'b', 'c', 'd', 'e']
const banned = new Set<string>()

function queued(): Queue {
  banned.clear()
  const queue = new Queue({ skips: (id) => banned.has(id), changed() {} })
  queue.play('b', LIST)
  return queue
}

const ahead = (queue: Queue) => queue.upcoming(10).map(({ id }) => id)

describe('the queue of the player', () => {
  it('goes through the list, past what is banned, and back', () => {
    const queue = queued()
    banned.add('c')
    expect(ahead(queue)).toEqual(['d', 'e'])
    expect([queue.next(), queue.next(), queue.next()]).toEqual(['d', 'e', undefined])
    expect([queue.previous(), queue.previous(), queue.previous()]).toEqual(['d', 'b', undefined])
    expect(ahead(queue)).toContain('d')
  })

  it('plays what was put in line before the list goes on', () => {
    const queue = queued()
    queue.add('e')
    queue.add('a', true)
    queue.add('x')
    queue.remove(2)
    expect(ahead(queue)).toEqual(['a', 'e', 'c', 'd', 'e'])
    expect([queue.next(), queue.next(), queue.next()]).toEqual(['a', 'e', 'c'])
    // What was gone back from comes next again.
    expect([queue.previous(), queue.next()]).toEqual(['e', 'c'])
  })

  it('repeats the list, or the track that ended', () => {
    const queue = queued()
    queue.turnRepeat()
    expect([queue.repeat, ...ahead(queue)]).toEqual(['all', 'c', 'd', 'e', 'a', 'b'])
    queue.turnRepeat()
    expect(queue.next({ ended: true })).toBe('b')
    expect(queue.next()).toBe('c')
    queue.turnRepeat()
    expect(queue.repeat).toBe('off')
  })

  it('shuffles what follows, each track once, and back', () => {
    const queue = queued()
    queue.setShuffle(true)
    expect(queue.current).toBe('b')
    expect(ahead(queue).sort()).toEqual(['a', 'c', 'd', 'e'])
    queue.setShuffle(false)
    expect(ahead(queue)).toEqual(['c', 'd', 'e'])
    const long = Array.from({ length: 200 }, (_, i) => String(i))
    queue.setShuffle(true)
    queue.play('0', long)
    expect(queue.upcoming(199).map(({ id }) => id)).not.toEqual(long.slice(1))
  })

  it('follows its radio, and goes on after a reload', () => {
    const queue = queued()
    const taken: string[] = []
    const steps = [{ id: 'r' }, { id: 's' }, { id: 't' }]
    const radio = { steps, take: (id: string) => taken.push(id), saved: () => 'saved' }
    queue.radio = radio
    queue.add('e')
    banned.add('r')
    expect(ahead(queue)).toEqual(['e', 's', 't'])
    expect(queue.next({ step: { id: 't' } })).toBe('t')
    expect(taken).toEqual(['t'])

    const again = new Queue({ skips: () => false, changed() {} })
    again.restore(JSON.parse(JSON.stringify(queue.state())))
    expect([again.current, ...ahead(again)]).toEqual(['t', 'e', 'c', 'd', 'e'])
    expect(again.previous()).toBe('b')
  })
})
