import { R128_OFFSET } from '../audio/tag-names.ts'
import type { EditableTags } from './editable-tags.ts'
import type { TagTexts } from './tag-block.ts'

/** Absent values stay as they are. */
export interface TagValues {
  /** Beats per minute. */
  bpm?: number
  key?: string
  /** dB to -18 LUFS; files of Opus hold it to -23 LUFS. */
  trackGain?: number
  /** A ratio to full scale. */
  trackPeak?: number
  albumGain?: number
  albumPeak?: number
  mood?: string
  comment?: string
}

/** A value in the tags of a file that changes. */
export interface TagChange {
  /** Its name in Vorbis comments, whatever the format: `BPM`, `REPLAYGAIN_TRACK_GAIN`. */
  tag: string
  /** `null`: it was not there. */
  from: string | null
  /** `null`: it is removed. */
  to: string | null
}

/** By their names in Vorbis comments. */
export function textsOfValues(
  values: TagValues,
  { hasWholeBeats, isOpus }: Pick<EditableTags, 'hasWholeBeats' | 'isOpus'>,
): Map<string, string | undefined> {
  const { bpm, key, mood, comment } = values
  const texts = new Map<string, string | undefined>()
  const addText = (name: string, text: string | undefined) => {
    if (text !== undefined) texts.set(name, text)
  }
  if (bpm !== undefined)
    addText('BPM', String(hasWholeBeats ? Math.round(bpm) : Number(bpm.toFixed(2))))
  addText('INITIALKEY', key)
  addText('MOOD', mood)
  addText('COMMENT', comment)
  for (const scope of ['track', 'album'] as const) {
    const [gain, peak] = [values[`${scope}Gain`], values[`${scope}Peak`]]
    const name = scope.toUpperCase()
    if (isOpus && gain !== undefined) {
      texts.set(`R128_${name}_GAIN`, String(Math.round(256 * (gain - R128_OFFSET))))
      // RFC 7845, 5.2.1: not both in one file.
      texts.set(`REPLAYGAIN_${name}_GAIN`, undefined)
      texts.set(`REPLAYGAIN_${name}_PEAK`, undefined)
      continue
    }
    if (gain !== undefined) addText(`REPLAYGAIN_${name}_GAIN`, `${gain.toFixed(2)} dB`)
    addText(`REPLAYGAIN_${name}_PEAK`, peak?.toFixed(6))
  }
  return texts
}

/** The tag beside the main one may lack values. */
export function changesOf(
  [mainBlock, secondBlock]: EditableTags['blocks'],
  texts: TagTexts,
): TagChange[] {
  const changes: TagChange[] = []
  for (const [tag, newText] of texts) {
    const mainText = mainBlock.readText(tag)
    const besideText = secondBlock?.readText(tag)
    const isSame =
      isSameText(tag, mainText, newText) &&
      (besideText === undefined || isSameText(tag, besideText, newText))
    if (!isSame) changes.push({ tag, from: mainText ?? besideText ?? null, to: newText ?? null })
  }
  return changes
}

/** Numbers may be written in another way. */
function isSameText(tag: string, a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  return /BPM|GAIN|PEAK/.test(tag) && Number.parseFloat(a) === Number.parseFloat(b)
}
