import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultName } from '../../src/fleet/fleet-task.ts'
import { FolderStore } from '../../src/fleet/folder-store.ts'
import { type JobAddresses, openJobObjects, signAddresses } from '../../src/fleet/job-objects.ts'
import { openS3Store } from '../../src/fleet/s3-store.ts'
import { waveFile } from '../support/clips.ts'
import { errandOf } from '../support/errand.ts'
import { S3_KEYS, startS3 } from '../support/s3.ts'
import { scratch } from '../support/scratch.ts'

describe('a signed address', () => {
  let s3: Awaited<ReturnType<typeof startS3>>
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.stop())

  const requested = async (method: string, url: string) => {
    const answer = await fetch(url, { method, ...(method === 'PUT' && { body: 'a' }) })
    await answer.arrayBuffer()
    return answer.status
  }

  it('allows one thing with one object', async () => {
    const store = await openS3Store(s3.store, S3_KEYS)
    const errand = await errandOf(await waveFile(scratch(), 'a.wav'))
    const addresses = (await signAddresses(store, errand, 60)) as JobAddresses
    const { audio, result, unwanted } = addresses
    expect(await requested('PUT', audio)).toBe(403)
    expect(await requested('DELETE', audio)).toBe(403)
    expect(await requested('GET', audio)).toBe(404)
    expect(await requested('PUT', result)).toBe(200)
    expect(s3.objects()).toEqual([resultName(errand.id)])
    expect(await requested('GET', result)).toBe(403)
    expect(await requested('PUT', result.replace(errand.id, `${errand.id}a`))).toBe(403)
    expect(await requested('DELETE', unwanted)).toBe(204)
    expect(s3.objects()).toEqual([])
  })
})

it.each([
  { audio: 'file:///etc/passwd', result: 'https://a/b', unwanted: 'https://a/b' },
  { audio: 'https://a/b', result: 'https://a/b' },
  'https://a/b',
])('refuses %j as the addresses of a job', async (addresses) => {
  const { id, task } = await errandOf(await waveFile(scratch(), 'a.wav'))
  const job = { id, task, addresses, attempt: 1 }
  expect(() => openJobObjects(job, task, undefined)).toThrow()
  expect(() => openJobObjects(job, task, new FolderStore(scratch()))).not.toThrow()
})
