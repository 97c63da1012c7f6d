import type { ImportInput } from './input.ts'
import { linesOf } from './lines.ts'
import type { Skips } from './skipped.ts'

const SEPARATOR = '<SEP>'

/** The four fields of each line of a text file, which begin with ids of such types. */
export async function* fieldsOf(
  input: ImportInput,
  skips: Skips,
  prefixes: readonly string[],
): AsyncGenerator<string[], void> {
  for await (const { text, number } of linesOf(input)) {
    if (text.trim() === '') continue
    // A title may hold the separator; no id does.
    const [first = '', second = '', third = '', ...rest] = text.split(SEPARATOR)
    const fields = [first, second, third, rest.join(SEPARATOR)]
    if (rest.length > 0 && prefixes.every((prefix, i) => fields[i]?.startsWith(prefix))) {
      skips.took()
      yield fields
    } else {
      skips.skip(input, REMEDY, number)
    }
  }
}

const REMEDY =
  "is of none of the dataset's texts; fromMillionSong() reads TR…<SEP>SO…<SEP>artist<SEP>title " +
  '(unique_tracks.txt), artistsFromMillionSong() AR…<SEP>mbid<SEP>TR…<SEP>artist (unique_artists.txt)'
