import { expect, it } from 'vitest'
import { clip } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'

it('limits.catalogItems: up to it all is applied, over it nothing', async () => {
  const music = await openInline({ limits: { catalogItems: 3 } })
  const catalog = await music.catalogs.create({ name: 'Small', type: 'song' })
  const item = (itemId: string) => ({ item: { itemId, songName: itemId } })
  await (await catalog.update(['a', 'b', 'c'].map(item))).done()
  const error = await failure((await catalog.update([item('d')])).done())
  expect(error.message).toMatch(/more than the 3 items of limits\.catalogItems/)
  expect((await catalog.profile()).total).toBe(3)
})

it('limits.keyCatalogs: for keys that are not commercial', async () => {
  const music = await openInline({ limits: { keyCatalogs: 1 } })
  const { apiKey } = await music.keys.create({ commercial: false })
  const guest = music.as(apiKey)
  await guest.catalogs.create({ name: 'One', type: 'song' })
  const error = await failure(guest.catalogs.create({ name: 'Two', type: 'song' }))
  expect(error).toMatchObject({ code: 'limit_exceeded', status: 5 })
  expect(error.message).toContain('limits.keyCatalogs')
})

it('limits.analysisSeconds: an analysis that takes longer ends in an error', async () => {
  const music = await openInline({ limits: { analysisSeconds: 1e-6 } })
  const { answer } = await music.tracks.upload({ ...clip(), wait: true })
  expect(answer.status).toBe('error')
  expect(answer.error).toMatch(/longer than the 0\.000001 s of limits\.analysisSeconds/)
})
