/** The kinds of terms, as bits: one name can be both a style and a mood. */
export const KIND = Object.freeze({ style: 1, mood: 2, description: 4 } as const)

/** The bit of a derived mood, which comes from the sound of your own track. */
export const DERIVED_MOOD = 8

export type TermKind = keyof typeof KIND

export function termKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}

/**
 * The kinds of a term. A term without a kind is a style, and also a mood if the service published
 * it as one: public lists of terms do not separate them.
 */
export function kindsOf({ name, kind }: { name: string; kind?: TermKind | undefined }): number {
  if (kind !== undefined) return KIND[kind]
  return MOODS.has(termKey(name)) ? KIND.style | KIND.mood : KIND.style
}

/** The moods of the service, as its `list_terms` answered them. */
const MOODS: ReadonlySet<string> = new Set(
  `aggressive, ambient, angry, angst-ridden, bouncy, calming, carefree, cheerful, cold,
  complex, cool, dark, disturbing, dramatic, dreamy, eerie, elegant, energetic, enthusiastic,
  epic, fun, funky, futuristic, gentle, gleeful, gloomy, groovy, happy, harsh, haunting,
  humorous, hypnotic, industrial, intense, intimate, joyous, laid-back, light, lively, manic,
  meditation, melancholia, mellow, mystical, ominous, party music, passionate, pastoral,
  peaceful, playful, poignant, quiet, rebellious, reflective, relax, romantic, rowdy, sad,
  sentimental, sexy, smooth, soothing, sophisticated, spacey, spiritual, strange, sweet,
  theater, trippy, warm, whimsical`.split(/,\s+/),
)
