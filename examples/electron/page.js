// What the window shows and does; `library` is what the preload script lends it.
const { library } = window
const [scan, stop, errors] = ['scan', 'stop', 'errors'].map((id) => document.getElementById(id))
const [bar, status, list] = ['progress', '[role=status]', 'ol'].map((selector) =>
  document.querySelector(selector),
)
const audio = new Audio()
audio.controls = true
list.before(audio)

library.onProgress(({ done, total, file }) => {
  bar.max = total
  bar.value = done
  status.textContent = `${done} of ${total}: ${file}`
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
    await show()
  } catch (error) {
    status.textContent = error.message
  }
  setRunning(false)
})
stop.addEventListener('click', () => library.stop())

function setRunning(running) {
  scan.disabled = running
  stop.hidden = !running
  bar.hidden = !running
  bar.removeAttribute('value')
}

async function show() {
  const lines = []
  for (let start = 0, total = 1; start < total; start += 100) {
    const page = await library.tracks(start)
    total = page.total
    lines.push(...page.tracks.map(lineOf))
  }
  list.replaceChildren(...lines)
}

function lineOf({ title, artist = 'unknown artist', tempo, url }) {
  const button = element('button', `${artist} – ${title}`)
  button.disabled = url === undefined
  button.addEventListener('click', () => {
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
