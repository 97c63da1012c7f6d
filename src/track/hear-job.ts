import type { Handler, Running } from '../kernel/jobs/handler.ts'
import type { Job } from '../kernel/jobs/store.ts'
import { threadsOf } from '../options/options.ts'
import { songChanged } from '../song/from-track.ts'
import { SPARSE } from '../sounds/hearing.ts'
import type { Instrument } from '../sounds/whole.ts'
import type { HearResult, SoundModelFile } from '../workers/hear-file.ts'
import { forgetCopy } from './analyze-job.ts'
import type { SeenFile } from './request-analysis.ts'
import { HEAR_ALL_JOB, type HEAR_JOB } from './request-hearing.ts'
import type { TrackRoom } from './room.ts'
import { locateAudio, releaseAudio } from './track-audio.ts'

/** Every third patch for the values of the whole, or all of them for a timeline. */
export class HearJob implements Handler {
  readonly kind: string
  readonly again = 'track.sounds() tries again.'
  readonly isolates: boolean
  readonly #room: TrackRoom
  readonly #model: SoundModelFile
  readonly #every: number
  /** MD5s of copies that no track needs after the transaction, by track id. */
  readonly #unneeded = new Map<string, string>()

  constructor(room: TrackRoom, model: SoundModelFile, kind: typeof HEAR_JOB | typeof HEAR_ALL_JOB) {
    this.kind = kind
    this.isolates = room.workers.isolates
    this.#room = room
    this.#model = model
    this.#every = kind === HEAR_ALL_JOB ? 1 : SPARSE
  }

  /** One while tracks are analysed, for which users wait. */
  get concurrency(): number {
    return this.#room.analysing.size > 0 ? 1 : Math.max(1, threadsOf(this.#room.config))
  }

  async run({ subject, payload }: Job, { signal, suspect }: Running): Promise<() => void> {
    const { store, hearings, workers } = this.#room
    const track = store.byId(subject)
    const hearing = { trackId: subject, network: this.#model.sha256, every: this.#every }
    if (!track || hearings.isHeard(hearing)) return () => this.#forgetCopy(subject)
    const { path } = await locateAudio(this.#room, track, payload as SeenFile, signal)
    const task = {
      path,
      model: this.#model,
      every: this.#every,
      ...(track.duration !== null && { expectedSeconds: track.duration }),
    }
    const result = await workers.run('hear', task, { signal, isolated: suspect })
    return () => this.#completeHearing(subject, result)
  }

  #completeHearing(id: string, { every, moments, summary, instruments }: HearResult): void {
    const { store, hearings, library } = this.#room
    const row = store.byId(id)
    if (!row) return
    const network = this.#model.sha256
    const names = JSON.stringify(instruments)
    hearings.put({ trackId: id, network, every, error: null, moments, instruments: names })
    hearings.setFacts({ trackId: id, ...summary })
    if (row.songId !== null) this.#describeSong(row.songId, summary.instrumentalness, instruments)
    library.update()
    this.#forgetCopy(id)
  }

  /** So that searches for a description find it. */
  #describeSong(songId: string, instrumentalness: number, instruments: Instrument[]): void {
    const { song } = this.#room
    const num = song.store.numOf(songId)
    if (num === undefined) return
    song.artists.terms.setHeardTerms(num, [...voiceTerms(instrumentalness), ...instruments])
    songChanged(song, songId)
  }

  failed({ subject }: Job, error: Error): void {
    const { hearings } = this.#room
    hearings.putError({ trackId: subject, network: this.#model.sha256, error: error.message })
    this.#forgetCopy(subject)
  }

  #forgetCopy(id: string): void {
    const md5 = forgetCopy(this.#room, id)
    if (md5 !== undefined) this.#unneeded.set(id, md5)
  }

  settled({ subject }: Job): void {
    const md5 = this.#unneeded.get(subject)
    this.#unneeded.delete(subject)
    if (md5 !== undefined) releaseAudio(this.#room, md5)
    this.#room.changes.wakeWaits(subject)
  }
}

const SURE_CONFIDENCE = 0.8

function voiceTerms(instrumentalness: number): Instrument[] {
  if (instrumentalness >= SURE_CONFIDENCE)
    return [{ name: 'instrumental', confidence: instrumentalness }]
  const confidence = Number((1 - instrumentalness).toFixed(3))
  return confidence >= SURE_CONFIDENCE ? [{ name: 'vocal', confidence }] : []
}
