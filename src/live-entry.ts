/**
 * Beats, downbeats and tempo of music while it plays, ahead of time: from a microphone or a stream, without a
 * database. It runs in Node, Bun, Deno, browsers and their workers.
 *
 * @module audile/live
 */

export type { LiveBeat } from './live/beat-tracker.ts'
export type { LiveOptions, LiveStream, LiveTempo } from './live/live-rhythm.ts'
export { LiveRhythm } from './live/live-rhythm.ts'
