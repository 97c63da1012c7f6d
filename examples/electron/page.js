// What the window shows and does; `library` is what the preload script lends it.
const { library } = window
const $ = (selector) => document.querySelector(selector)
const [scan, stop, bar, at, status] = ['#scan', '#stop', 'progress', '#at', '[role=status]'].map($)
const [errors, audio, list, more] = ['#errors', 'audio', 'ol', '#more'].map($)

library.onProgress(({ done, total, file }) => {
  bar.max = total
  bar.value = done
  at.textContent = `${done} of ${total}: ${file}`
})

scan.addEventListener('click', async () => {
  setRunning(true)
  try {
    const told = await library.scan()
    if (told) {
      const { folder, added, moved, changed, missing } = told
      status.textContent = `${folder}: ${added} added, ${changed} changed, ${moved} moved, ${missing} missing`
      errors.replaceChildren(...told.errors.map((text) => element('li', text)))
    }
    list.replaceChildren()
    await show()
  } catch (error) {
    status.textContent = error.message
  }
  setRunning(false)
})
stop.addEventListener('click', () => library.stop())
more.addEventListener('click', show)

function setRunning(running) {
  // Who works by the keyboard stands on the button that can be pressed now.
  const other = running ? stop : scan
  const focused = [scan, stop].includes(document.activeElement)
  scan.hidden = running
  stop.hidden = !running
  bar.hidden = !running
  bar.removeAttribute('value')
  at.textContent = ''
  if (focused) other.focus()
}

/** Adds a page of the library to the list. */
async function show() {
  const start = list.childElementCount
  const { total, tracks } = await library.tracks(start)
  list.append(...tracks.map(lineOf))
  more.hidden = list.childElementCount >= total
  if (start > 0) list.children[start]?.firstElementChild.focus()
}

function lineOf({ title, artist = 'unknown artist', tempo, url }) {
  const button = element('button', `${artist} – ${title}`)
  button.type = 'button'
  button.disabled = url === undefined
  button.addEventListener('click', () => {
    audio.hidden = false
    audio.src = url
    audio.play()
  })
  const line = element('li', tempo > 0 ? ` ${tempo.toFixed(1)} BPM` : '')
  line.prepend(button)
  return line
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

show().catch((error) => {
  status.textContent = error.message
})
