import type * as TagLib from 'node-taglib-sharp'

/** The package that writes tags. */
export type Library = typeof TagLib

/** The text values of one tag in a file, by the names that Vorbis comments give them. */
export interface Slots {
  get(name: string): string | undefined
  /** `undefined` removes the value. */
  set(name: string, value: string | undefined): void
}

const FRAMES: Readonly<Record<string, string>> = { BPM: 'TBPM', INITIALKEY: 'TKEY', MOOD: 'TMOO' }

export function id3Slots(library: Library, tag: TagLib.Id3v2Tag): Slots {
  const { Id3v2FrameClassType: kinds, Id3v2FrameIdentifiers: identifiers } = library
  // Before version 4 there is no frame for moods.
  const frameOf = (name: string) =>
    name === 'MOOD' && tag.version < 4 ? undefined : identifiers[FRAMES[name] ?? '']
  // Comments with a description hold something else, such as the volume that iTunes measured.
  const comment = () =>
    tag
      .getFramesByClassType<TagLib.Id3v2CommentsFrame>(kinds.CommentsFrame)
      .find(({ description }) => description === '')
  const described = (name: string) =>
    tag
      .getFramesByClassType<TagLib.Id3v2UserTextInformationFrame>(kinds.UserTextInformationFrame)
      .filter(({ description }) => description.toUpperCase() === name)
  return {
    get(name) {
      if (name === 'COMMENT') return comment()?.text
      const frame = frameOf(name)
      return frame ? tag.getTextAsString(frame) : described(name)[0]?.text[0]
    },
    set(name, value = '') {
      const frame = frameOf(name)
      if (frame) tag.setTextFrame(frame, value)
      else if (name === 'COMMENT') {
        const written = comment() ?? library.Id3v2CommentsFrame.fromDescription('', 'eng')
        if (!comment()) tag.addFrame(written)
        written.textEncoding = library.StringType.UTF16
        written.text = value
      } else {
        const [old] = described(name)
        for (const one of described(name)) tag.removeFrame(one)
        const { Id3v2UserTextInformationFrame: Frame } = library
        const written = Frame.fromDescription(old?.description ?? name)
        written.text = [value]
        if (value !== '') tag.addFrame(written)
      }
    },
  }
}

export function vorbisSlots(tag: TagLib.XiphComment): Slots {
  return {
    get: (name) => tag.getFieldFirstValue(name),
    set: (name, value) => tag.setFieldAsStrings(name, value ?? ''),
  }
}

const MEAN = 'com.apple.iTunes'

export function mp4Slots(tag: TagLib.Mpeg4AppleTag): Slots {
  // In the case that most programs write; the package finds every case.
  const usual = (name: string) => (name === 'MOOD' ? name : name.toLowerCase())
  return {
    get(name) {
      if (name === 'BPM') return tag.beatsPerMinute > 0 ? String(tag.beatsPerMinute) : undefined
      if (name === 'COMMENT') return tag.comment
      return tag.getFirstItunesString(MEAN, usual(name))
    },
    set(name, value = '') {
      if (name === 'BPM') tag.beatsPerMinute = Number(value)
      else if (name === 'COMMENT') tag.comment = value
      else tag.setItunesStrings(MEAN, usual(name), value)
    },
  }
}

/** The values that an APE tag beside an ID3v2 tag has already; it gets no others. */
export function apeSlots(tag: TagLib.ApeTag): Slots {
  return {
    get: (name) => tag.getItem(name)?.text[0],
    set(name, value = '') {
      const item = tag.getItem(name)
      if (item) tag.setStringValue(item.key, value)
    },
  }
}
