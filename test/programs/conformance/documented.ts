/** Containers by ffprobe's name, with the codecs that the table of formats (examples/install.md) gives audile. */
const DOCUMENTED: readonly (readonly [container: string, codec: RegExp])[] = [
  ['wav', /^pcm_(u8|s16|s24|s32|f32|f64)(le|be)?$|^pcm_(mulaw|alaw)$|^mp3(float)?$/],
  ['au', /^pcm_(s8|s16be|s24be|s32be|f32be|f64be|mulaw|alaw)$/],
  ['aiff', /^pcm_(s8|u8|mulaw|alaw|(s16|s24|s32|f32|f64)(le|be))$/],
  ['mp3', /^mp3(float)?$/],
  ['flac', /^flac$/],
  ['ogg', /^(vorbis|opus|flac)$/],
  ['mov', /^(aac|alac)$/],
]

/** Whether the table of formats lists what ffprobe calls so. */
export function isDocumented(container: string, codec: string): boolean {
  const names = container.split(',')
  return DOCUMENTED.some(([name, codecs]) => names.includes(name) && codecs.test(codec))
}

/** Whether decoders of a codec all give the same samples; by ffprobe's name. */
export function isLossless(codec: string): boolean {
  return /^(pcm_.*|flac|alac|wavpack|ape|tta|mp4als|wmalossless|shorten|truehd|mlp|tak)$/.test(
    codec,
  )
}

/** Of Matroska ffprobe shows the tags of one level; the title of the album stands on another. */
export function hidesAlbum(container: string): boolean {
  return container.startsWith('matroska')
}
