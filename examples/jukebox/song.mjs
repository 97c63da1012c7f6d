// What the page knows of a piece: little enough to be saved as a file, and all it needs but the audio.
import { keyName } from '../report/words.mjs'
import { LIMIT, pieceOf } from './branches.mjs'

const FORMAT = 'audile jukebox 1'

/**
 * @typedef {import('./branches.mjs').Piece & { format: string, title: string, by: string,
 *   duration: number, tempo: number, key: string, metre: number, sampleRate: number,
 *   tune: import('./branches.mjs').Tune, audio?: string }} Song `audio` is a data URL
 */

/**
 * @param {import('audile').AnalysisDocument} analysis
 * @param {string} file its name
 * @returns {Song}
 */
export function songOf(analysis, file) {
  const { meta, track } = analysis
  const { beats, candidates, last, threshold } = pieceOf(analysis)
  return {
    format: FORMAT,
    title: meta.title ?? file.replace(/\.\w{2,4}$/, ''),
    by: meta.artist ?? '',
    duration: track.duration,
    tempo: track.tempo,
    key: keyName(track.key, track.mode),
    metre: Math.max(1, track.time_signature),
    sampleRate: meta.sample_rate,
    beats,
    candidates,
    last,
    threshold,
    tune: { threshold, jumps: 'both', last: true },
  }
}

/**
 * Reads a saved song.
 *
 * @param {string} text
 * @returns {Song}
 * @throws {Error} when it is none, or one that cannot be played
 */
export function songFrom(text) {
  let song
  try {
    song = JSON.parse(text)
  } catch {
    // The next line says what is wrong.
  }
  if (song?.format !== FORMAT) throw new Error('This file is no saved jukebox.')
  const { beats, candidates, last, tune, duration, sampleRate } = song
  const inside = ({ beat, twin }) => beats[twin] && beat >= 0 && beat <= beats.length
  const sound =
    [beats, candidates].every(Array.isArray) &&
    beats.length > 1 &&
    beats.every(({ start, end, colour }) => start < end && colour.every(Number.isFinite)) &&
    [...candidates, last].every(inside) &&
    duration > 0 &&
    sampleRate > 0 &&
    tune.threshold <= LIMIT
  if (!sound) throw new Error('This saved jukebox is damaged.')
  return song
}
