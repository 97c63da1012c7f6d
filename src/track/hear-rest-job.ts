import type { Handler, Running } from '../kernel/jobs/handler.ts'
import { pause } from '../kernel/scheduler.ts'
import type { SoundModelFile } from '../workers/hear-file.ts'
import { enqueueHearing, HEAR_REST_JOB } from './request-hearing.ts'
import type { TrackRoom } from './room.ts'

const TRACKS_PER_STEP = 200

/** Enqueues the hearing of the tracks that were analysed without the network. */
export class HearRestJob implements Handler {
  readonly kind = HEAR_REST_JOB
  readonly concurrency = 1

  constructor(
    private readonly room: TrackRoom,
    private readonly model: SoundModelFile,
  ) {}

  async run(_: unknown, { signal, progressed }: Running): Promise<() => void> {
    const { store, hearings } = this.room
    let after = ''
    for (;;) {
      const page = { network: this.model.sha256, after, results: TRACKS_PER_STEP }
      const ids = hearings.unheard(page)
      store.atomically.step(() => {
        for (const id of ids) enqueueHearing(this.room, id)
      })
      progressed()
      const last = ids.at(-1)
      if (last === undefined) return () => {}
      after = last
      await pause(signal)
    }
  }
}
