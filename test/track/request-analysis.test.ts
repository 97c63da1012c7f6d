import { expect, it } from 'vitest'
import type { NewJob } from '../../src/kernel/jobs/store.ts'
import { enqueueAnalysis } from '../../src/track/request-analysis.ts'
import type { TrackRoom } from '../../src/track/room.ts'

it('analyses new files before those that are analysed again, and all after those waited for', () => {
  const jobs: NewJob[] = []
  const versions: Record<string, string | null> = { new: null, old: '1.0', waited: '1.0' }
  const room = {
    enqueue: (job: NewJob) => jobs.push(job),
    store: { byId: (id: string) => ({ analyzerVersion: versions[id] }) },
  } as unknown as TrackRoom
  for (const id of ['old', 'new', 'waited']) enqueueAnalysis(room, id, { wait: id === 'waited' })
  const first = jobs.sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
  expect(first.map(({ subject }) => subject)).toEqual(['waited', 'new', 'old'])
})
