// The page's own part: sorts and filters the table, and ties it to the map and the wheel.
const table = document.getElementById('table')
const body = table.tBodies[0]
const rows = [...body.rows]
const filter = document.getElementById('filter')
const points = [...document.querySelectorAll('#points a')]
const tip = document.getElementById('tip')
const pointOf = new Map(points.map((point) => [point.hash.slice(1), point]))
/** A Camelot code is looked for among the keys alone. */
const CODE = /^\d{1,2}[ab]$/
const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
  head.firstElementChild.addEventListener('click', () => {
    const down = head.ariaSort === 'ascending'
    for (const other of table.tHead.rows[0].cells) other.ariaSort = 'none'
    head.ariaSort = down ? 'descending' : 'ascending'
    const values = new Map(rows.map((row) => [row, sortValue(row.cells[column])]))
    rows.sort((a, b) => compare(values.get(a), values.get(b)) * (down ? -1 : 1))
    body.append(...rows)
  })
}

function sortValue({ dataset, textContent }) {
  const text = dataset.value ?? textContent
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // What has no name comes last.
  if (a === '' || b === '') return Number(a === '') - Number(b === '')
  return order.compare(a, b)
}

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const row of rows) {
    const text = row.textContent.toLowerCase()
    const key = row.dataset.key.toLowerCase()
    row.hidden = !words.every((word) => (CODE.test(word) ? word === key : text.includes(word)))
    pointOf.get(row.id)?.classList.toggle('out', row.hidden)
    if (!row.hidden) count++
  }
  document.getElementById('count').textContent =
    count === rows.length ? `${count} tracks` : `${count} of ${rows.length} tracks`
})

for (const link of document.querySelectorAll('.keys [data-key]')) {
  link.addEventListener('click', () => {
    filter.value = link.dataset.key
    filter.dispatchEvent(new Event('input'))
  })
}

/** A link to a row shows it, even when it was filtered out, and puts the focus there. */
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#t"]')
  const row = link && document.getElementById(link.getAttribute('href').slice(1))
  if (row?.tagName !== 'TR') return
  event.preventDefault()
  if (row.hidden) {
    filter.value = ''
    filter.dispatchEvent(new Event('input'))
  }
  row.focus()
  row.scrollIntoView({ block: 'center' })
})

// One stop for the Tab key; the arrow keys go to the nearest point in their direction.
for (const [i, point] of points.entries()) {
  point.tabIndex = i === 0 ? 0 : -1
  point.addEventListener('pointerenter', () => tell(point))
  point.addEventListener('pointerleave', () => tell(document.activeElement))
  point.addEventListener('focus', () => {
    for (const other of points) other.tabIndex = other === point ? 0 : -1
    tell(point)
  })
  point.addEventListener('blur', () => tell(undefined))
  point.addEventListener('keydown', (event) => {
    const direction = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }
    const [dx, dy] = direction[event.key] ?? []
    if (dx === undefined) return
    event.preventDefault()
    nearest(point, dx, dy)?.focus()
  })
}

function nearest(point, dx, dy) {
  const from = point.getBoundingClientRect()
  let best
  let least = Infinity
  for (const other of points) {
    if (other === point || other.classList.contains('out')) continue
    const to = other.getBoundingClientRect()
    const x = to.x - from.x
    const y = to.y - from.y
    const along = x * dx + y * dy
    const across = Math.abs(x * dy) + Math.abs(y * dx)
    // Points that lie upon one another are gone through in their order.
    const same = along === 0 && across === 0 && points.indexOf(other) > points.indexOf(point)
    if (along <= 0 && !same) continue
    const distance = along + 2 * across
    if (distance < least) {
      least = distance
      best = other
    }
  }
  return best
}

function tell(point) {
  tip.hidden = !points.includes(point)
  if (tip.hidden) return
  const [title, artist, facts] = tip.children
  title.textContent = point.dataset.title
  artist.textContent = point.dataset.artist
  facts.textContent = point.dataset.facts
  const frame = tip.offsetParent
  const x = point.offsetLeft + point.offsetWidth / 2
  const y = point.offsetTop
  const room = frame.clientWidth - tip.offsetWidth
  tip.style.left = `${Math.min(room, Math.max(0, x - tip.offsetWidth / 2))}px`
  tip.style.top = `${y > tip.offsetHeight + 10 ? y - tip.offsetHeight - 8 : y + point.offsetHeight + 8}px`
}

for (const row of rows) {
  const mark = (on) => pointOf.get(row.id)?.classList.toggle('here', on)
  row.addEventListener('focus', () => mark(true))
  row.addEventListener('blur', () => mark(false))
  row.addEventListener('pointerenter', () => mark(true))
  row.addEventListener('pointerleave', () => mark(false))
}
