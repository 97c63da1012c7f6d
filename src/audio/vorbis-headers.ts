import { type OggPage, writePage } from './ogg-pages.ts'

/** Bytes of header pages that are decoded as they are; covers in comments can have megabytes. */
const MOST_BYTES = 1_048_576
/** Bytes of the setup header, which has some thousands. */
const MOST_SETUP = 16_777_216

/** A comment header without comments (Vorbis I, 5.2): no vendor, none of them, and the framing bit. */
const NO_COMMENTS = Uint8Array.from([3, ...Buffer.from('vorbis'), ...Array<number>(8).fill(0), 1])

/**
 * The pages that a Vorbis stream begins with: identification, comments and setup. libvorbis's package
 * takes time with the square of their size, so large comments are left out.
 */
export class VorbisHeaders {
  #pages: Uint8Array[] = []
  #first: OggPage | undefined
  #bytes = 0
  /** Packets that have ended; the setup is the third. */
  #ended = 0
  #setup: Uint8Array[] = []
  #setupBytes = 0

  /** Whether all three have come. */
  get complete(): boolean {
    return this.#ended >= 3
  }

  /** Takes a page; returns what there is to decode once all headers have come. */
  add(page: OggPage): Uint8Array[] {
    this.#first ??= page
    this.#bytes += page.bytes.length
    if (this.#bytes <= MOST_BYTES) this.#pages.push(page.bytes)
    else this.#pages = []
    let at = 0
    for (const length of page.lacing) {
      if (this.#ended === 2 && this.#setupBytes <= MOST_SETUP) {
        this.#setup.push(page.body.slice(at, at + length))
        this.#setupBytes += length
      }
      at += length
      if (length < 255) this.#ended++
    }
    if (!this.complete) return []
    const pages = this.#bytes <= MOST_BYTES ? this.#pages : this.#withoutComments(this.#first)
    this.#pages = []
    this.#setup = []
    return pages
  }

  #withoutComments(first: OggPage): Uint8Array[] {
    const lengths = [NO_COMMENTS.length]
    for (let left = this.#setupBytes; left >= 0; left -= 255) lengths.push(Math.min(255, left))
    const body = Buffer.concat([NO_COMMENTS, ...this.#setup])
    const pages = [first.bytes]
    let at = 0
    for (let i = 0; i < lengths.length; i += 255) {
      const lacing = Uint8Array.from(lengths.slice(i, i + 255))
      const bytes = lacing.reduce((sum, length) => sum + length, 0)
      const { serial } = first
      const continued = i > 0
      const part = body.subarray(at, at + bytes)
      pages.push(writePage({ serial, sequence: pages.length, continued, lacing, body: part }))
      at += bytes
    }
    return pages
  }
}
