import { fleetTask, readAudioBytes, taskIdOf } from '../../src/fleet/fleet-task.ts'
import type { Errand } from '../../src/fleet/sender.ts'

/** A fingerprint of a file, as an owner asks its workers for it. */
export async function errandOf(path: string): Promise<Errand> {
  const audio = await readAudioBytes(path, new AbortController().signal)
  const limits = {
    ...{ decodedSeconds: 100, analysisSeconds: 100, channels: 2 },
    ...{ workerMegabytes: 100, stalledSeconds: 100 },
  }
  const task = fleetTask('fingerprint', audio, { path }, { limits, ffmpeg: false })
  return { id: taskIdOf(task), task, path }
}
