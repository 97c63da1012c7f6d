import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRUM_CHANNEL } from './midi-file.ts'
import type { MidiNote } from './midi-notes.ts'
import type { Sound } from './rhythm-band.ts'

/** Groove files, and the slowest and fastest BPM at which each is played. */
const GROOVES = `
  50srock 120 160, 60srock 116 150, 68march 100 125, 8beat 90 130, arpeggio44 80 120,
  arpeggiowaltz 100 140, ballad 66 90, basicrock 110 145, bebop 170 215, beguine 100 130,
  bigband 125 170, bluefolk 90 120, bluegrass 110 140, blues 80 120, blues128 60 90,
  boggiewoggie 130 170, bolero 80 110, boneym 115 132, bossanova 115 150, broadway 110 150,
  broadwaywaltz 120 170, bubblerock 120 150, bvfunk 92 115, bwmarch 105 125, calypso 100 130,
  chacha 108 128, charleston 180 215, countryblues 90 120, countryswing 110 150,
  countrywaltz 95 130, cubanguitar 90 120, descendingjazz 110 150, dixie 140 200,
  dixiemarch 100 130, dsoul 90 120, easyswing 110 140, evansish 110 150, fastblues 140 180,
  fastjazzwaltz 170 210, fastswing 180 215, fastwaltz 160 195, folk 95 130, folkballad 70 95,
  folkrock 105 135, folkyjazz 110 150, foxtrot 112 130, frenchwaltz 130 180, guitarballad 66 90,
  gypsyjazz 160 215, hillcountry 100 130, hymn 75 105, jazz-54 140 180, jazzcombo 120 170,
  jazzguitar 110 150, jazzrhumba 100 130, jazzrock 105 135, jazzwaltz 130 170, jive 150 180,
  latinwaltz 110 150, lfusion 100 130, lighttango 115 130, lullaby 65 85, mambo 95 115,
  march 105 125, mellowjazz 90 125, merengue 115 145, modernjazz 120 180,
  modernjazzwaltz 130 180, nitejazz 80 110, pianoballad 60 85, polka 110 130, popballad 62 85,
  popspiritual 85 115, quickstep 190 208, ragtime 85 115, rb-ballad 62 80, rb 88 110,
  rhumba 100 128, rock-128 60 90, rockballad 60 84, rockwaltz 100 140, salsa 88 110,
  samba 96 125, showtune 110 150, shuffleboggie 120 160, ska 120 150, slowblues 56 76,
  slowbolero 70 90, slowbroadway 70 95, slowcountry 70 95, slowjazz 60 85, slowspiritual 60 80,
  softrock 90 115, softshoe 100 130, son 90 115, spiritual 100 135, stringballad 62 85,
  strut 100 130, swing 125 180, tango 118 132, trance 128 142, twist 150 175,
  vienesewaltz 160 185, waltz 84 130, westernswing 120 160, zydeco 110 140
`
export const CHORDS = ['C', 'Dm', 'Em', 'F', 'G', 'Am', 'Bdim']
export const SEVENTHS = ['CM7', 'Dm7', 'Em7', 'FM7', 'G7', 'Am7', 'Bm7b5']
/** Grooves that are no music by themselves. */
const PARTIAL = /intro|end|fill|clap$|drum/i
const KICKS = [35, 36]
const SNARES = [38, 39, 40]
const HATS = [42, 44, 46, 54, 69, 70, 82]
const RIDES = [51, 53, 59]
const CRASHES = [49, 52, 55, 57]
const SKINS = [41, 43, 45, 47, 48, 50, 60, 61, 62, 63, 64, 65, 66]
/** Voices of the eights of General MIDI's programs. */
const FAMILIES = [
  'piano',
  'bell',
  'organ',
  'guitar',
  'bass',
  'strings',
  'strings',
  'brass',
  'clarinet',
  'flute',
  'organ',
  'organ',
]

/** Grooves of one manner. */
export interface GrooveFile {
  name: string
  /** Slowest and fastest BPM. */
  tempo: [number, number]
  beatsPerBar: number
  /** Those of them that are whole music. */
  grooves: string[]
}

/** The grooves of MMA (Musical MIDI Accompaniment, by Bob van der Poel), of its folder `lib/stdlib`. */
export function grooveFiles(library: string): GrooveFile[] {
  return GROOVES.trim()
    .split(/,\s*/)
    .map((line) => {
      const [name, slowest, fastest] = line.split(' ') as [string, string, string]
      const text = readFileSync(join(library, `${name}.mma`), 'latin1')
      return {
        name,
        tempo: [Number(slowest), Number(fastest)],
        beatsPerBar: Number(/^Time +(\d)/im.exec(text)?.[1] ?? 4),
        grooves: [...text.matchAll(/^ *DefGroove +(\S+)/gim)]
          .map(([, groove]) => groove!)
          .filter((groove) => !PARTIAL.test(groove)),
      }
    })
}

/** Has MMA make a MIDI file of a song; false where its groove wants more than chords. */
export function accompany(from: string, to: string): boolean {
  try {
    execFileSync('mma', ['-f', to, from], { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    return false
  }
  return existsSync(to)
}

/** A note as a voice plays it; alone, on a piano. */
export function soundOf(note: MidiNote, alone: boolean): Sound {
  const { start, duration, channel, program, pitch, velocity } = note
  const strength = (velocity / 100) ** 1.5
  if (channel === DRUM_CHANNEL) {
    const [voice, gain] = strokeOf(pitch)
    return { start, duration: 4, gain: gain * strength, voice, pitch: 60 }
  }
  const voice = alone ? 'piano' : (FAMILIES[program >> 3] ?? 'guitar')
  return { start, duration, gain: (voice === 'bass' ? 0.2 : 0.09) * strength, voice, pitch }
}

function strokeOf(pitch: number): [voice: string, gain: number] {
  if (KICKS.includes(pitch)) return ['kick', 0.5]
  if (SNARES.includes(pitch)) return ['snare', 0.4]
  if (HATS.includes(pitch)) return ['hat', 0.18]
  if (RIDES.includes(pitch)) return ['ride', 0.35]
  if (CRASHES.includes(pitch)) return ['crash', 0.3]
  if (SKINS.includes(pitch)) return [pitch % 2 === 0 ? 'conga' : 'lowConga', 0.2]
  return ['rim', 0.12]
}
