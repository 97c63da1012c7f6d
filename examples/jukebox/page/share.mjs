// Saves a jukebox as a file: as data, or as this very page with the audio inside.

/** Has the browser save a text as a file. */
export function save(name, text, type) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name.replace(/[\\/:*?"<>|]/g, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * Remembers the page as it is before anything is shown on it.
 *
 * @param {HTMLElement} root
 * @returns {(song: import('../song.mjs').Song, audio: Blob) => Promise<string>} the page that has a
 *   song and its audio inside
 */
export function pageText(root) {
  const blank = root.cloneNode(true)
  return async (song, audio) => {
    const page = blank.cloneNode(true)
    const json = JSON.stringify({ ...song, audio: await dataUrl(audio) })
    // Nothing in it can end the script.
    page.querySelector('#data').textContent = json.replaceAll('<', '\\u003c')
    return `<!doctype html>\n${page.outerHTML}\n`
  }
}

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
