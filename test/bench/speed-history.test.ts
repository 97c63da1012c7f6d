import { expect, it } from 'vitest'
import { compared, type Measured } from '../programs/bench/speed-history.ts'

const HERE = 'linux x64 node 20'

const line = (ratio: number, more: Partial<Measured>): Measured => ({
  ...{ commit: 'abc', date: '2026-11-25', on: HERE, ratios: { 'document / peer': ratio } },
  ...more,
})

it('fails when a ratio is more than 35 % below that of the last release', () => {
  const history = [line(1, { release: '0.1.0' }), line(2, { release: '0.2.0' }), line(9, {})]
  const at = (ratio: number) => compared({ 'document / peer': ratio }, history, HERE)
  expect(at(1.31)).toMatchObject({ failed: false })
  expect(at(1.29)).toMatchObject({ failed: true })
  expect(at(1.29).lines).toEqual([
    'Speed beside that of release 0.2.0 (abc, 2026-11-25); at least 0.65',
    expect.stringMatching(/^ {2}document \/ peer +1\.29 {2}of 2\.00: 0\.6[45] {2}TOO SLOW$/),
  ])
})

it('compares with releases on such a machine, and with none where there is none', () => {
  const history = [line(1, { release: '0.1.0' }), line(5, { release: '0.2.0', on: 'other' })]
  expect(compared({ 'document / peer': 0.9 }, history, HERE).failed).toBe(false)
  expect(compared({ 'document / peer': 0.9 }, history, 'other').failed).toBe(true)
  const { lines, failed } = compared({ 'document / peer': 0.9 }, history, 'third')
  expect({ failed, first: lines[0] }).toEqual({
    failed: false,
    first: 'Speed; the history has no release on third',
  })
})
