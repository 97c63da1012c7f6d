// A table of any length: only the rows in sight are there, and the one that has the focus.
import { element, set, trackButton } from './element.mjs'
import { beats, clock, keyName, shortKey, stars } from './words.mjs'

/** Rows beyond either edge that are made ahead of the scrolling. */
const AHEAD = 8

const COLUMNS = [
  { name: 'number', label: 'Play' },
  { name: 'title', label: 'Title', sort: 'asc' },
  { name: 'artist', label: 'Artist', sort: 'asc' },
  { name: 'duration', label: 'Time', sort: 'asc' },
  { name: 'tempo', label: 'BPM', sort: 'asc' },
  { name: 'key', label: 'Key', sort: 'asc' },
  { name: 'energy', label: 'Energy', sort: 'desc' },
  { name: 'rating', label: 'Rating', sort: 'desc' },
  { name: 'actions', label: 'More' },
]

/**
 * @typedef {object} Doings what can be done with a row
 * @property {(id: string) => object} opinionOf
 * @property {(id: string) => void} play
 * @property {(id: string, rating: number) => void} rate
 * @property {(id: string) => void} favorite
 * @property {(id: string) => void} ban
 * @property {(id: string) => void} similar
 * @property {(sort: string) => void} sort
 */

export class Grid {
  #box
  #head
  #body
  #doings
  #rows = []
  #shown = new Map()
  #active = 0
  #current = { id: undefined, playing: false }
  #heads = new Map()

  /**
   * @param {HTMLElement} box - scrolls
   * @param {Doings} doings
   */
  constructor(box, doings) {
    this.#box = box
    this.#doings = doings
    this.#head = element('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' })
    this.#body = element('div', { role: 'rowgroup', class: 'body' })
    for (const column of COLUMNS) this.#head.append(this.#columnHead(column))
    box.append(element('div', { role: 'rowgroup', class: 'heads' }, this.#head), this.#body)
    box.setAttribute('role', 'grid')
    box.setAttribute('aria-labelledby', 'view-title')
    box.setAttribute('aria-colcount', String(COLUMNS.length))
    box.addEventListener('scroll', () => this.#draw(), { passive: true })
    box.addEventListener('keydown', (event) => this.#walk(event))
    box.addEventListener('focusin', ({ target }) => {
      const index = target.closest('.body > .row')?.dataset.index
      if (index !== undefined) this.#activate(Number(index))
    })
    new ResizeObserver(() => this.#draw()).observe(box)
  }

  /** The row that keys are for: the one with the focus, or the last that had it. */
  get active() {
    return this.#rows[this.#active]?.id
  }

  /** Whether the focus is in one of the rows. */
  get focused() {
    return this.#body.contains(document.activeElement)
  }

  /** Shows other rows; the same place stays in sight when they are the same list, grown. */
  show(rows, { sort = '', keep = false } = {}) {
    const active = this.active
    const held = this.focused
    this.#rows = rows
    if (!keep) this.#box.scrollTop = 0
    const again = keep ? rows.findIndex(({ id }) => id === active) : 0
    this.#active = Math.max(0, again)
    for (const [name, head] of this.#heads) {
      const [by, direction] = sort.split('-')
      const order = direction === 'desc' ? 'descending' : 'ascending'
      set(head, 'aria-sort', by === name ? order : undefined)
    }
    this.#box.setAttribute('aria-rowcount', String(rows.length + 1))
    this.#box.hidden = rows.length === 0
    for (const row of this.#shown.values()) row.remove()
    this.#shown.clear()
    this.#draw()
    if (held && rows.length > 0) this.#focus(this.#active)
  }

  /** Draws a row anew, if it is in sight. */
  refresh(id) {
    for (const [index, row] of this.#shown) if (this.#rows[index]?.id === id) this.#fill(row, index)
  }

  /** Marks the track that is playing, or held. */
  mark(id, playing) {
    const before = this.#current.id
    this.#current = { id, playing }
    this.refresh(before)
    if (id !== before) this.refresh(id)
  }

  /** Brings a row into sight, and the focus to it. */
  reveal(id) {
    const index = this.#rows.findIndex((row) => row.id === id)
    if (index >= 0) this.#focus(index)
  }

  /** Puts the focus on the row that had it last. */
  focus() {
    if (this.#rows.length > 0) this.#focus(this.#active)
  }

  #columnHead({ name, label, sort }) {
    const head = element('div', { role: 'columnheader', class: `cell ${name}` })
    if (!sort) {
      head.append(element('span', { class: 'hidden' }, label))
      return head
    }
    const button = element('button', { type: 'button' }, label)
    button.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort')
      const other = sort === 'asc' ? 'desc' : 'asc'
      const first = sort === 'asc' ? 'ascending' : 'descending'
      // First as it is usual, then the other way round, then not at all.
      const next = before === null ? `${name}-${sort}` : before === first ? `${name}-${other}` : ''
      this.#doings.sort(next)
    })
    head.append(button)
    this.#heads.set(name, head)
    return head
  }

  get #rowHeight() {
    return Number.parseFloat(getComputedStyle(this.#box).getPropertyValue('--row'))
  }

  #draw() {
    const height = this.#rowHeight
    const { scrollTop, clientHeight } = this.#box
    const first = Math.max(0, Math.floor(scrollTop / height) - AHEAD)
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / height) + AHEAD)
    this.#body.style.height = `${this.#rows.length * height}px`
    for (const [index, row] of this.#shown) {
      if ((index >= first && index < last) || index === this.#active) continue
      row.remove()
      this.#shown.delete(index)
    }
    const wanted = [this.#active]
    for (let index = first; index < last; index++) wanted.push(index)
    for (const index of wanted) {
      if (index >= this.#rows.length) continue
      const row = this.#shown.get(index) ?? this.#make(index)
      row.style.transform = `translateY(${index * height}px)`
    }
  }

  #make(index) {
    const row = element('div', { role: 'row', class: 'row', 'aria-rowindex': String(index + 2) })
    row.dataset.index = String(index)
    row.addEventListener('dblclick', () => this.#doings.play(this.#rows[index].id))
    row.addEventListener('click', (event) => {
      if (event.target.closest('button, [role=slider]')) return
      row.focus()
      // A finger has no second button, and no hover to show the first.
      if (event.pointerType === 'touch') this.#doings.play(this.#rows[index].id)
    })
    this.#shown.set(index, row)
    this.#fill(row, index)
    // In the order of the list, which is the order in which it is read out.
    const after = [...this.#body.children].find((other) => Number(other.dataset.index) > index)
    this.#body.insertBefore(row, after ?? null)
    return row
  }

  #fill(row, index) {
    const track = this.#rows[index]
    const { id, title, artist, duration, tempo, energy } = track
    const opinion = this.#doings.opinionOf(id)
    const current = this.#current.id === id
    const playing = current && this.#current.playing
    row.tabIndex = index === this.#active ? 0 : -1
    row.classList.toggle('current', current)
    row.classList.toggle('banned', opinion.banned === true)
    set(row, 'aria-current', current && 'true')
    const cell = (name, ...content) =>
      element('div', { role: 'gridcell', class: `cell ${name}` }, ...content)
    const doings = this.#doings
    const button = (name, label, act, pressed) => trackButton(name, label, title, act, pressed, -1)
    const held = row !== document.activeElement && row.contains(document.activeElement)
    const sound = [tempo > 0 && `${beats(tempo)} BPM`, shortKey(track)].filter(Boolean).join(' · ')
    const level = element('span', { class: 'level' })
    level.style.setProperty('--level', String(energy ?? 0))
    const number = element(
      'span',
      { class: 'place', 'aria-hidden': 'true' },
      track.mark ?? String(index + 1),
    )
    row.replaceChildren(
      cell(
        'number',
        number,
        button(playing ? 'pause' : 'play', playing ? 'Pause' : 'Play', () => doings.play(id)),
      ),
      cell(
        'title',
        element('span', { class: 'name', title: track.path }, title),
        element(
          'span',
          { class: 'below' },
          element('span', { class: 'who' }, artist),
          element('span', { class: 'sound' }, sound),
        ),
      ),
      cell('artist', artist || element('span', { class: 'none' }, 'unknown')),
      cell('duration', clock(duration)),
      cell('tempo', beats(tempo)),
      cell('key', keyName(track)),
      cell(
        'energy',
        level,
        element(
          'span',
          { class: 'hidden' },
          energy === undefined ? 'not known' : `${Math.round(energy * 100)} %`,
        ),
      ),
      cell(
        'rating',
        ratingOf(title, opinion.rating, (rating) => doings.rate(id, rating), -1),
      ),
      cell(
        'actions',
        button('heart', 'Favourite', () => doings.favorite(id), opinion.favorite === true),
        button('similar', 'Sounds alike', () => doings.similar(id)),
        button('ban', 'Ban', () => doings.ban(id), opinion.banned === true),
      ),
    )
    // What had the focus is another element now.
    if (held) row.focus({ preventScroll: true })
  }

  #activate(index) {
    if (index === this.#active) return
    const before = this.#shown.get(this.#active)
    if (before) before.tabIndex = -1
    this.#active = index
    const row = this.#shown.get(index)
    if (row) row.tabIndex = 0
  }

  #focus(index) {
    const height = this.#rowHeight
    const top = index * height
    const { scrollTop, clientHeight } = this.#box
    const seen = clientHeight - this.#head.offsetHeight
    if (top < scrollTop) this.#box.scrollTop = top
    else if (top + height > scrollTop + seen) this.#box.scrollTop = top + height - seen
    this.#activate(index)
    this.#draw()
    const row = this.#shown.get(index)
    row.tabIndex = 0
    row.focus({ preventScroll: true })
  }

  #walk(event) {
    if (!this.focused || event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor(this.#box.clientHeight / this.#rowHeight) - 2)
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const last = this.#rows.length - 1
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? last
          : this.#active + (steps[event.key] ?? Number.NaN)
    if (Number.isNaN(to)) {
      if (event.key !== 'Enter' || event.target.closest('button')) return
      this.#doings.play(this.active)
    } else {
      this.#focus(Math.min(last, Math.max(0, to)))
    }
    event.preventDefault()
  }
}

/** Five stars that are set by a click on one, by the arrows, or by nothing when `rate` is missing. */
export function ratingOf(title, rating, rate, tabIndex = 0) {
  const control = element('span', {
    class: 'stars',
    role: 'slider',
    tabindex: String(tabIndex),
    'aria-label': `Rating: ${title}`,
    'aria-valuemin': '0',
    'aria-valuemax': '5',
    'aria-valuenow': String((rating ?? 0) / 2),
    'aria-valuetext': stars(rating),
  })
  for (let star = 1; star <= 5; star++) {
    const made = element('span', { class: 'star' })
    const fill = Math.min(1, Math.max(0, (rating ?? 0) / 2 - star + 1))
    made.classList.toggle('full', fill === 1)
    made.classList.toggle('half', fill === 0.5)
    // A click on the star that is already the last takes the rating back.
    made.addEventListener('click', () => rate(rating === star * 2 ? undefined : star * 2))
    control.append(made)
  }
  control.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (step === undefined) return
    const next = Math.min(10, Math.max(0, Math.round((rating ?? 0) / 2 + step) * 2))
    rate(next === 0 ? undefined : next)
    event.preventDefault()
    event.stopPropagation()
  })
  return control
}
