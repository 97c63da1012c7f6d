/** Bits, because one name can be both a style and a mood. */
export const TERM_KINDS = Object.freeze({ style: 1, mood: 2, description: 4 } as const)

/** From the sound of your own track. */
export const DERIVED_MOOD = 8

/** The bits of a description that a network heard in your own track. */
export const HEARD_TERM: number = TERM_KINDS.description | 16

export type TermKind = keyof typeof TERM_KINDS

export function termKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A term without a kind is a style, and a mood too if the service published it as one. */
export function kindsOf({ name, kind }: { name: string; kind?: TermKind | undefined }): number {
  if (kind !== undefined) return TERM_KINDS[kind]
  return SERVICE_MOODS.has(termKey(name)) ? TERM_KINDS.style | TERM_KINDS.mood : TERM_KINDS.style
}

/** The service's moods, as its `list_terms` answered them. */
const SERVICE_MOODS: ReadonlySet<string> = new Set(
  `aggressive, ambient, angry, angst-ridden, bouncy, calming, carefree, cheerful, cold,
  complex, cool, dark, disturbing, dramatic, dreamy, eerie, elegant, energetic, enthusiastic,
  epic, fun, funky, futuristic, gentle, gleeful, gloomy, groovy, happy, harsh, haunting,
  humorous, hypnotic, industrial, intense, intimate, joyous, laid-back, light, lively, manic,
  meditation, melancholia, mellow, mystical, ominous, party music, passionate, pastoral,
  peaceful, playful, poignant, quiet, rebellious, reflective, relax, romantic, rowdy, sad,
  sentimental, sexy, smooth, soothing, sophisticated, spacey, spiritual, strange, sweet,
  theater, trippy, warm, whimsical`.split(/,\s+/),
)
