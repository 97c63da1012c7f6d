import { z } from 'zod'
import {
  flattenedLength,
  unflattenWaveform,
  type Waveform,
  zoomWaveform,
} from '../analysis/waveform.ts'
import { WAVEFORM_BANDS } from '../analysis/waveform-front.ts'
import { method } from '../kernel/method.ts'
import { AudileError, ParameterError } from '../values/errors.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import { inflate } from './read-document.ts'
import type { TrackRoom } from './room.ts'

/** `track/waveform` (ours): the peaks of a track, at any zoom, of all or of one band. */
export const trackWaveform = method({
  name: 'track/waveform',
  parameters: z.strictObject({
    ...trackReference,
    /** Samples of the file in a pixel: 256 or more, in a band 512 or more. Default: the least. */
    samplesPerPixel: z.int().min(1).optional(),
    /** `low`: below 200 Hz; `mid`: to 2 kHz; `high`: to 11 kHz. Default: the whole sound. */
    band: z.enum(WAVEFORM_BANDS.names).optional(),
  }),
  async run(room: TrackRoom, { samplesPerPixel, band, ...reference }): Promise<Waveform> {
    const { id, importedAnalysis } = requireAnalysis(findTrack(room.store, reference))
    const stored = room.analyses.waveform(id)
    if (!stored) {
      const why =
        importedAnalysis === 1
          ? 'its analysis was imported, without its audio; upload its file'
          : 'it was analysed without one; call track.analyze()'
      throw new ParameterError('not_ready', `${id} has no waveform: ${why}.`)
    }
    let peaks: ReturnType<typeof unflattenWaveform>
    try {
      const maxOutputLength = Math.max(1, flattenedLength(stored.samples))
      peaks = unflattenWaveform(await inflate(stored.peaks, { maxOutputLength }), stored)
    } catch (error) {
      throw new AudileError(
        'database',
        `The stored waveform of ${id} is damaged; upload its file again.`,
        { cause: error },
      )
    }
    return zoomWaveform(peaks, { samplesPerPixel, band })
  },
})
