/** Text frames of an ID3v2.4 tag by their id; `TXXX:<description>` and `UFID:<owner>` too. */
export type Frames = Record<string, string>

/**
 * An mp3 of silent frames (MPEG-1 layer III, 128 kbit/s, 44.1 kHz, mono) behind an ID3v2.4 tag.
 *
 * @param pictures - the contents of APIC frames
 */
export function taggedMp3(
  frames: Frames,
  seconds = 1,
  pictures: readonly Uint8Array[] = [],
): Uint8Array {
  return Buffer.concat([id3Tag(frames, pictures), silence(seconds)])
}

function silence(seconds: number): Uint8Array {
  // Zeroed side information: no granule has any bits, each decodes to 576 zeros.
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0xc4])
  return Buffer.concat(Array(Math.ceil((seconds * 44_100) / 1152)).fill(frame))
}

/** An ID3v2.4 tag, to be put before the frames of an mp3. */
export function id3Tag(frames: Frames, pictures: readonly Uint8Array[] = []): Uint8Array {
  const body = Buffer.concat([
    ...Object.entries(frames).map(([name, text]) => frame(name, text)),
    ...pictures.map((content) => withHead('APIC', content)),
  ])
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), size(body.length), body])
}

function frame(name: string, text: string): Uint8Array {
  const [id, description] = name.split(/:(.*)/s) as [string, string | undefined]
  const content =
    id === 'UFID'
      ? Buffer.from(`${description}\0${text}`, 'latin1')
      : Buffer.concat([
          Buffer.from([3]),
          Buffer.from(description === undefined ? text : `${description}\0${text}`),
        ])
  return withHead(id, content)
}

function withHead(id: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(id), size(content.length), Buffer.from([0, 0]), content])
}

/** Four bytes of seven bits. */
function size(value: number): Uint8Array {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f))
}
