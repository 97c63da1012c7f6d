import { describe, expect, it } from 'vitest'
import { fromTasteProfile, type Skipped, tasteProfiles } from '../../src/import-entry.ts'
import { bytes, gzipped, readAll, readItems } from './read-all.ts'

const [ONE, TWO] = [
  'b80344d063b5ccb3212f76538f3d9e43d87dca9e',
  '85c1f87fea955d09b4bec2e36aee110927aedf9a',
]
const TRIPLETS = `${ONE}\tSOAKIMP12A8C130995\t1
${ONE}\tSOAPDEY12A81C210A9\t23
${TWO}\tSOAKIMP12A8C130995\t2
`

describe('fromTasteProfile', () => {
  it.each([
    ['plain', bytes(TRIPLETS)],
    ['gzipped', gzipped(TRIPLETS)],
  ])('gives what one user played, %s', async (_, input) => {
    expect(await readItems(fromTasteProfile(input, { user: ONE }))).toEqual([
      { itemId: 'SOAKIMP12A8C130995', songId: 'SOAKIMP12A8C130995', playCount: 1 },
      { itemId: 'SOAPDEY12A81C210A9', songId: 'SOAPDEY12A81C210A9', playCount: 23 },
    ])
  })

  it('finds lines of the user wherever they stand', async () => {
    const text = `${TRIPLETS}${ONE}\tSOBBMDR12A8C13253B\t5\n`
    expect(await readItems(fromTasteProfile(bytes(text), { user: ONE }))).toHaveLength(3)
  })

  it('needs no name where there is one user, and asks for it where there are more', async () => {
    const alone = TRIPLETS.split('\n').slice(0, 2).join('\n')
    expect(await readItems(fromTasteProfile(bytes(alone)))).toHaveLength(2)
    await expect(readAll(fromTasteProfile(bytes(TRIPLETS)))).rejects.toThrow(
      'user - Missing parameter: what was given holds several users',
    )
    await expect(readAll(fromTasteProfile(bytes(TRIPLETS), { user: 'x' }))).rejects.toThrow(
      'has no triplets of the user "x"',
    )
  })

  it.each([
    ['dates for plays', `${ONE}\tSOAKIMP12A8C130995\t1401058812\n`, 'which is a date'],
    [
      'dates, between <SEP>',
      `${ONE}<SEP>SOAKIMP12A8C130995<SEP>1401058812\n`,
      'this is a log of listens',
    ],
    ['no songs', `${ONE}\tTRAKIMP12A8C130995\t1\n`, 'is not of the form'],
    ['no plays', `${ONE}\tSOAKIMP12A8C130995\t0\n`, 'is not of the form'],
    ['commas', `${ONE},SOAKIMP12A8C130995,1\n`, 'is not of the form'],
  ])('refuses a file of %s', async (_, text, why) => {
    await expect(readAll(fromTasteProfile(bytes(text)))).rejects.toThrow(why)
  })

  it('tells lines that are bad, and goes on', async () => {
    const skipped: Skipped[] = []
    const text = `nonsense\n${TRIPLETS}${ONE}\tSOBBMDR12A8C13253B\t1401058812`
    const onSkipped = (one: Skipped) => skipped.push(one)
    const items = await readItems(fromTasteProfile(bytes(text), { user: ONE, onSkipped }))
    expect(items).toHaveLength(2)
    expect(skipped).toMatchObject([{ line: 1 }, { line: 5 }])
  })
})

describe('tasteProfiles', () => {
  it('gives users one after the other', async () => {
    const profiles = await readAll(tasteProfiles(bytes(TRIPLETS)))
    expect(profiles.map(({ user, entries }) => [user, entries.length])).toEqual([
      [ONE, 2],
      [TWO, 1],
    ])
    expect(profiles[1]?.entries).toEqual([
      { item: { itemId: 'SOAKIMP12A8C130995', songId: 'SOAKIMP12A8C130995', playCount: 2 } },
    ])
  })

  it('holds one user at a time', async () => {
    let given = 0
    async function* many() {
      for (let user = 0; user < 1000; user++) {
        given++
        yield bytes(`user${user}\tSOAKIMP12A8C130995\t1\n`)
      }
    }
    for await (const { user } of tasteProfiles(many())) if (user === 'user9') break
    expect(given).toBeLessThan(100)
  })
})
