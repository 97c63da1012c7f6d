import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrackRecord } from '../../src/client/tracks.ts'
import {
  Audile,
  type AudileOptions,
  type Mix,
  type MixedTrack,
  type Track,
} from '../../src/index.ts'
import { type Random, seeded } from './chance.ts'
import { remembered } from './once-a-run.ts'
import { openInline } from './open.ts'
import { scratch } from './scratch.ts'

/** What a made track is to be. */
export interface Plan extends TrackRecord {
  title: string
  /** The place of its sound: tracks whose places are near sound alike. Default 0. */
  sound?: number
  tempo?: number
  /** The MD5 of its samples. */
  samples?: string
  /** How long it is. Default 30. */
  seconds?: number
  /** LUFS. Default -12. */
  loudness?: number
  /** How sure tempo and key are, 0…1. Default: not known. */
  sure?: number
}

/**
 * A document with segments whose timbre and pitches follow a place: near places sound alike.
 *
 * @param sound - a place on a line, or in a space of 36 dimensions, each -1 to 1
 */
export function madeDocument(
  {
    sound,
    tempo,
    samples,
    seconds = 30,
    loudness = -12,
    sure,
  }: {
    sound: number | readonly number[]
    tempo: number
    samples?: string | undefined
    seconds?: number | undefined
    loudness?: number | undefined
    sure?: number | undefined
  },
  random: Random,
): object {
  const at = (k: number) =>
    typeof sound === 'number' ? Math.sin(sound * (0.7 + 0.13 * k) + k) : sound[k]!
  const noise = () => random() + random() + random() - 1.5
  const beat = 60 / tempo
  const segments = Array.from({ length: Math.ceil(2 * seconds) }, (_, i) => ({
    start: i / 2,
    duration: 0.5,
    confidence: 1,
    loudness_start: -20,
    loudness_max_time: 0.1,
    loudness_max: -10,
    timbre: Array.from({ length: 12 }, (_, k) => 25 * at(k) + (20 + 8 * at(k + 12)) * noise()),
    pitches: Array.from({ length: 12 }, (_, k) =>
      Math.min(1, Math.max(0.05, 0.5 + at(k + 24) / 4 + noise() / 4)),
    ),
  }))
  const beats = Array.from({ length: Math.floor(seconds / beat) }, (_, i) => ({
    start: i * beat,
    duration: beat,
    confidence: 1,
  }))
  const confidence = { tempo_confidence: sure, key_confidence: sure }
  return {
    track: {
      duration: seconds,
      tempo,
      key: 0,
      mode: 1,
      loudness,
      sample_md5: samples,
      ...confidence,
    },
    beats,
    segments,
  }
}

/** Imports made tracks. */
export async function addTracks(music: Audile, plans: readonly Plan[]): Promise<Track[]> {
  const random = seeded(plans.length)
  const records = plans.map(
    ({ sound = 0, tempo = 120, samples, seconds, loudness, sure, ...record }) => ({
      analysis: madeDocument({ sound, tempo, samples, seconds, loudness, sure }, random),
      ...record,
    }),
  )
  await music.tracks.import(records, { strict: true })
  return tracksOf(music, plans)
}

/** The tracks of plans: an import of many adds them in another order. */
async function tracksOf(music: Audile, plans: readonly Plan[]): Promise<Track[]> {
  const named = ({ title, artist }: { title?: string | undefined; artist?: string | undefined }) =>
    `${title} by ${artist}`
  const found = new Map<string, Track>()
  for await (const track of music.tracks.all()) found.set(named(track.answer), track)
  return plans.map((plan) => found.get(named(plan)) as Track)
}

/**
 * Plans of assorted tracks: as many artists with four tracks each on two albums, whose sounds are
 * near each other.
 */
export function assorted(artists: number): Plan[] {
  return Array.from({ length: 4 * artists }, (_, i) => {
    const artist = Math.floor(i / 4)
    const energy = ((i * 17) % (4 * artists)) / (4 * artists)
    return {
      title: `Song ${word(i)}`,
      artist: `Band ${word(artist)}`,
      release: `Album ${word(2 * artist + (i % 2))}`,
      sound: artist * 0.55 + (i % 4) * 0.05,
      tempo: 80 + ((artist * 7) % 80),
      // The made sounds are noises, which would count as speech.
      audioSummary: { energy, valence: 1 - energy, speechiness: 0.05 },
    }
  })
}

/** A word of its own for each number, so that names differ by more than one letter. */
function word(number: number): string {
  const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'tu']
  return [...String(number).padStart(3, '0')].map((digit) => syllables[Number(digit)]).join('')
}

/** An engine on a file of its own with made tracks; the same plans are imported once in a run. */
export async function mixLibrary(
  plans: readonly Plan[] = assorted(12),
  options: Partial<AudileOptions> = {},
): Promise<{ music: Audile; tracks: Track[]; database: string }> {
  const { value, keep } = remembered<Uint8Array>(['mix library', plans])
  const database = join(scratch(), 'library.db')
  if (value === undefined) {
    const music = await Audile.open({ database, engine: 'inline', workers: 0 })
    await addTracks(music, plans)
    await music.close()
    keep(readFileSync(database))
  } else writeFileSync(database, value)
  const music = await openInline({ database, ...options })
  return { music, tracks: await tracksOf(music, plans), database }
}

/** The steps of a mix, at most so many. */
export async function stepsOf(mix: Mix, most = Number.POSITIVE_INFINITY): Promise<MixedTrack[]> {
  const steps: MixedTrack[] = []
  if (most === 0) return steps
  for await (const step of mix) if (steps.push(step) === most) break
  return steps
}

/** The titles of some steps, without the word that all share. */
export function titles(steps: readonly { track: Track }[]): string[] {
  return steps.map(({ track }) => track.answer.title!.replace('Song ', ''))
}
