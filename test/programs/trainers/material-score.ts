import type { Sound } from './rhythm-band.ts'

/** Music that can be played: its sounds and what is known about it. */
export interface Score {
  /** What is left out together when a model is judged: a style, a collection, a file of grooves. */
  family: string
  /** The same for the same notes, however they are played. */
  music: string
  source: string
  style: string
  /** Beats per minute, before the tempo moves. */
  bpm: number
  beatsPerBar: number
  /** What a time signature may be called. */
  accepted: number[]
  /** How many parts a beat has, where that is the same throughout. */
  division?: number
  /** Their times are in beats; a downbeat is at 0. */
  sounds: Sound[]
  /** How many beats there are. */
  beats: number
  /** The beat, or place between beats, at which the recording begins. */
  from: number
  key?: Key
  /** Beats at which sections begin. */
  sections?: number[]
  manner: Manner
  production: Production
}

export interface Key {
  /** 0 for C … 11 for B. */
  tonic: number
  /** 1 for major. */
  mode: 0 | 1
}

/** How the tempo moves: a sequencer's, a band's, a soloist's. */
export type Manner = 'machine' | 'band' | 'free'

/** Who plays: instruments alone, a band, a band with distorted guitars, synthesisers. */
export type Production = 'solo' | 'band' | 'rock' | 'electronic' | 'mixed'

/** Voices that are strokes of a drum kit. */
export const STROKES = [
  'kick',
  'snare',
  'clap',
  'hat',
  'openhat',
  'ride',
  'crash',
  'rim',
  'tom',
  'conga',
  'lowConga',
  'shaker',
  'cowbell',
] as const
export type Stroke = (typeof STROKES)[number]

export function isStroke(voice: string): voice is Stroke {
  return (STROKES as readonly string[]).includes(voice)
}
