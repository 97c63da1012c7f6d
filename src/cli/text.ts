/** Control characters of terminals, and characters that reorder the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
/** Most characters that take two columns: East Asian wide and full width, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/u
const NO_WIDTH = /[\p{M}\p{Cf}]/u

/** Makes text of unknown origin (tags, names of files) harmless for a terminal, on one line. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (control) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[control]
    return short ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Cuts a line to a number of columns. */
export function cutTo(line: string, columns: number): string {
  let width = 0
  let whole = ''
  let cut = ''
  for (const character of line) {
    width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
    if (width > columns) return `${cut}…`
    whole += character
    if (width < columns) cut = whole
  }
  return line
}

/** Seconds as `m:ss`, from an hour on as `h:mm:ss`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`
}
