import { readFileSync } from 'node:fs'
import type { FfmpegView, MutagenView } from './readers.ts'
import type { Trial } from './trial.ts'

/** What the second readers saw before and after a write. */
export interface Views {
  mutagen?: { before: MutagenView; after: MutagenView }
  ffmpeg?: { before: FfmpegView; after: FfmpegView }
  metaflac?: { before: string; after: string }
}

/** What other programs no longer see as it was, or do not see as it was written. */
export function viewFlaws(trial: Trial, { mutagen, ffmpeg, metaflac }: Views): string[] {
  const flaws: string[] = []
  const { file } = trial
  const hasFirst = getsFirstId3(trial) || getsFirstComments(mutagen)
  if (mutagen) flaws.push(...mutagenFlaws(trial, mutagen.before, mutagen.after))
  if (ffmpeg) {
    const { before, after } = ffmpeg
    if (before.sound !== after.sound && !before.sound.startsWith('unreadable') && !isGuessed(file))
      flaws.push(`ffmpeg decodes another sound: ${after.sound}`)
    const seen = ({ lines }: FfmpegView) => (hasFirst ? nameKeys(lines) : lines)
    // ffmpeg loses its way in version 3 where a frame is longer for unsynchronisation.
    const isMisread = file.oddities.includes('unsynchronised (tag)')
    const lost = isMisread ? [] : missingOf(seen(before), seen(after))
    if (lost.length > 0) flaws.push(`ffmpeg no longer sees ${lost.slice(0, 3).join(' | ')}`)
  }
  if (metaflac && metaflac.before !== metaflac.after) flaws.push('metaflac sees other blocks')
  return flaws
}

/** Whether readers now find an ID3v2 tag where they looked at another kind of tag before. */
function getsFirstId3({ file, path }: Trial): boolean {
  const hasTag = (bytes: Buffer) =>
    [2, 3, 4].some((version) =>
      bytes.includes(Buffer.from(`ID3${String.fromCharCode(version, 0)}`)),
    )
  return !hasTag(file.bytes) && hasTag(readFileSync(path))
}

/** Whether ffmpeg guesses by the size of a file, tags included, how much of its sound is left out. */
function isGuessed({ name, oddities }: Trial['file']): boolean {
  return name.endsWith('.mp3') && /APE|ID3v1|junk/.test(oddities)
}

/** As with FLAC behind ID3v2, which readers forget where there are comments. */
function getsFirstComments(mutagen: Views['mutagen']): boolean {
  const has = (view: MutagenView) => view.kinds.includes('comments')
  return mutagen !== undefined && !has(mutagen.before) && has(mutagen.after)
}

const NAME_FRAMES = ['TIT2', 'TPE1', 'TALB']

/** Which names of a file ffmpeg knows; their spelling depends on the kind of tag. */
function nameKeys(lines: readonly string[]): string[] {
  const keys = lines.map((line) => line.split(':')[0]?.trim().toLowerCase() ?? '')
  return ['title', 'artist', 'album'].filter((key) => keys.includes(key))
}

/** What of a list is not in another, each as often as it occurs. */
function missingOf(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return list.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function mutagenFlaws(trial: Trial, before: MutagenView, after: MutagenView): string[] {
  const flaws: string[] = []
  const errors = missingOf(after.errors, before.errors)
  if (errors.length > 0) flaws.push(`mutagen can no longer read it: ${errors.join(', ')}`)
  const isFirst = before.kinds.includes('ID3v1') && after.kinds.includes('ID3v2')
  const named = (view: MutagenView) =>
    view.others.filter(([kind]) => kind !== 'ID3v1' || !isFirst).map((one) => one.join(' '))
  const frames = (view: MutagenView) => view.others.map(([, name]) => name)
  for (const name of isFirst ? NAME_FRAMES : [])
    if (frames(before).includes(name) && !frames(after).includes(name))
      flaws.push(`mutagen no longer sees the ${name} of ID3v1`)
  const lost = missingOf(named(before), named(after))
  if (lost.length > 0) flaws.push(`mutagen no longer sees ${lost.slice(0, 3).join(' | ')}`)
  // A tag that was not there may get the names that stand in others.
  const added = missingOf(named(after), named(before)).filter((one) =>
    before.kinds.includes(one.split(' ')[0] as string),
  )
  if (added.length > 0 && lost.length === 0)
    flaws.push(`mutagen sees more than was asked for: ${added.slice(0, 3).join(' | ')}`)
  return [...flaws, ...(errors.length > 0 ? [] : unreadValues(trial, after))]
}

/** Values that were written and that mutagen does not read, if it reads the file at all. */
function unreadValues({ path, values, comment }: Trial, view: MutagenView): string[] {
  const { kinds, asked, errors } = view
  // RF64, and tags that mutagen itself does not read: their bytes are looked at.
  if (errors.length > 0 || !kinds.some((kind) => ['ID3v2', 'comments', 'ilst'].includes(kind))) {
    const file = readFileSync(path)
    const wide = Buffer.from(comment, 'utf16le')
    const forms = [Buffer.from(comment), wide, Buffer.from(wide).swap16()]
    return forms.some((form) => file.includes(form)) ? [] : ['the comment is nowhere in the file']
  }
  const wanted = { ...values, COMMENT: comment }
  return Object.entries(wanted).flatMap(([tag, to]) => {
    const read = asked[tag] ?? []
    if (to === null) return read.length === 0 ? [] : [`mutagen still reads ${tag}: ${read.join()}`]
    if (read.includes(to)) return []
    return [`mutagen reads ${tag} as ${read.length > 0 ? read.join() : 'nothing'}, not as ${to}`]
  })
}
