import type { Kernel } from '../kernel/kernel.ts'
import { Turns } from '../kernel/turns.ts'
import { requireSoundModel } from '../workers/hear-file.ts'
import { AnalysisStore } from './analysis-store.ts'
import { AnalyzeJob } from './analyze-job.ts'
import { CorrectionStore } from './correction-store.ts'
import { CueStore } from './cue-store.ts'
import { Handles } from './handles.ts'
import { HearJob } from './hear-job.ts'
import { HearRestJob } from './hear-rest-job.ts'
import { HearingStore } from './hearing-store.ts'
import { Library } from './library-store.ts'
import { HEAR_ALL_JOB, HEAR_JOB, HEAR_REST_JOB } from './request-hearing.ts'
import type { TrackNeeds, TrackRoom } from './room.ts'
import { SoundSpace } from './sound-space.ts'
import { TrackStore } from './store.ts'

/** Also removes the audio that a crash left without a track. */
export async function openTracks(kernel: Kernel, needs: TrackNeeds): Promise<TrackRoom> {
  const store = new TrackStore(kernel.db)
  const library = new Library(kernel.db)
  const room: TrackRoom = {
    ...needs.input,
    ...needs,
    name: 'track',
    store,
    library,
    analyses: new AnalysisStore(kernel.db),
    corrections: new CorrectionStore(kernel.db),
    cues: new CueStore(kernel.db),
    hearings: new HearingStore(kernel.db),
    analysing: new Set(),
    space: new SoundSpace(library),
    exported: new Map(),
    listings: new Handles('scan'),
    watches: new Handles('watch'),
    writing: new Turns(0),
  }
  room.library.update()
  kernel.handle(new AnalyzeJob(room))
  await openHearing(room, kernel)
  await room.uploads.sweep(kernel.now(), (md5) => store.isCached(md5))
  return room
}

/** Tracks that were analysed without the network are heard now. */
async function openHearing(room: TrackRoom, { config, handle, enqueue }: Kernel): Promise<void> {
  const { soundModel } = config
  if (!soundModel) return
  await requireSoundModel(soundModel)
  handle(new HearJob(room, soundModel, HEAR_JOB))
  handle(new HearJob(room, soundModel, HEAR_ALL_JOB))
  handle(new HearRestJob(room, soundModel))
  const page = { network: soundModel.sha256, after: '', results: 1 }
  if (room.hearings.unheard(page).length > 0) enqueue({ kind: HEAR_REST_JOB, subject: 'tracks' })
}

export async function closeTracks({ watches, uploads }: TrackRoom): Promise<void> {
  await Promise.allSettled([...watches.values()].map((watching) => watching.closeWatch()))
  watches.clear()
  uploads.close()
}
