// A table of any length: only the rows in sight are there, and the one that has the focus.
import { fill, newRow } from './cells.mjs'
import { element, set } from './element.mjs'
import { takeRating } from './stars.mjs'

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

export class Grid {
  #box
  #head
  #body
  #library
  #doings
  #ids = []
  #marks
  #shown = new Map()
  /** Rows that are in sight and no longer true. */
  #stale = new Set()
  #frame
  #active = 0
  #current = { id: undefined, playing: false }
  #heads = new Map()
  // As it usually is, until the page is laid out: to ask it before that, innerHeight even, would
  // have it laid out twice.
  #top = 0
  #seen = 600
  #height = 42

  /**
   * @param {HTMLElement} box - scrolls
   * @param {import('./library.mjs').Library} library
   * @param {import('./cells.mjs').Doings} doings
   */
  constructor(box, library, doings) {
    this.#box = box
    this.#library = library
    this.#doings = doings
    const heads = COLUMNS.map((column) => this.#columnHead(column))
    this.#head = element('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' }, ...heads)
    this.#body = element('div', { role: 'rowgroup', class: 'body' })
    box.append(element('div', { role: 'rowgroup', class: 'heads' }, this.#head), this.#body)
    set(box, 'role', 'grid')
    set(box, 'aria-labelledby', 'view-title')
    set(box, 'aria-colcount', String(COLUMNS.length))
    box.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    this.#body.addEventListener('click', (event) => this.#click(event))
    this.#body.addEventListener('dblclick', (event) => this.#click(event))
    box.addEventListener('keydown', (event) => this.#walk(event))
    box.addEventListener('focusin', ({ target }) => {
      const index = target.closest('.body > .row')?.dataset.index
      if (index !== undefined) this.#activate(Number(index))
    })
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.height === 0) return
      this.#seen = contentRect.height
      this.#height = Number.parseFloat(getComputedStyle(box).getPropertyValue('--row'))
      this.#draw()
    }).observe(box)
  }

  /** The row that keys are for: the one with the focus, or the last that had it. */
  get active() {
    return this.#ids[this.#active]
  }

  /** Whether the focus is in one of the rows. */
  get focused() {
    return this.#body.contains(document.activeElement)
  }

  /**
   * Shows other tracks; with `keep`, the same place stays in sight.
   *
   * @param {readonly string[]} ids
   * @param {{ sort?: string, keep?: boolean, marks?: Map<string, string> }} options - `marks` are
   * shown in the place of the numbers
   */
  show(ids, { sort = '', keep = false, marks } = {}) {
    const { active, focused } = this
    this.#ids = ids
    this.#marks = marks
    if (!keep && this.#top > 0) this.#top = this.#box.scrollTop = 0
    this.#active = keep ? Math.max(0, ids.indexOf(active)) : 0
    const [by, direction] = sort.split('-')
    const order = direction === 'desc' ? 'descending' : 'ascending'
    for (const [name, head] of this.#heads) set(head, 'aria-sort', by === name && order)
    set(this.#box, 'aria-rowcount', String(ids.length + 1))
    this.#box.hidden = ids.length === 0
    this.#body.style.height = `calc(var(--row) * ${ids.length})`
    this.#body.querySelector('[role=menu]')?.hidePopover()
    this.#stale = new Set(this.#shown.keys())
    this.#draw()
    if (focused && ids.length > 0) this.#focus(this.#active)
  }

  /** Draws rows anew, those of them that are in sight; without ids, all. */
  refresh(ids) {
    const among = ids && new Set(ids)
    for (const index of this.#shown.keys()) {
      if (!among || among.has(this.#ids[index])) this.#stale.add(index)
    }
    this.#drawSoon()
  }

  /** Marks the track that is playing, or held. */
  mark(id, playing) {
    const before = this.#current
    if (before.id === id && before.playing === playing) return
    this.#current = { id, playing }
    this.refresh([before.id, id])
  }

  /** Brings a row into sight, and the focus to it: that of a track, else the one that had it last. */
  focus(id = this.active) {
    const index = this.#ids.indexOf(id)
    if (index >= 0) this.#focus(index)
  }

  #columnHead({ name, label, sort }) {
    const head = element('div', { role: 'columnheader', class: `cell ${name}` })
    const other = { asc: 'desc', desc: 'asc' }[sort]
    const onclick = () => {
      const now = { ascending: 'asc', descending: 'desc' }[head.getAttribute('aria-sort')]
      // First as it is usual, then the other way round, then not at all.
      const next = now === undefined ? sort : now === sort ? other : undefined
      this.#doings.sort(next ? `${name}-${next}` : '')
    }
    if (!sort) head.append(element('span', { class: 'hidden' }, label))
    else {
      head.append(element('button', { type: 'button', onclick }, label))
      this.#heads.set(name, head)
    }
    return head
  }

  #scrolled() {
    this.#top = this.#box.scrollTop
    this.#drawSoon()
  }

  /** Draws in the next frame: once, and before the page is laid out. */
  #drawSoon() {
    this.#frame ??= requestAnimationFrame(() => this.#draw())
  }

  #draw() {
    cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    const wanted = this.#wanted()
    // Rows that were scrolled out of sight show the tracks that came into sight: to make rows anew
    // takes several times as long.
    const kept = new Set(wanted.map((index) => this.#shown.get(index)))
    const spare = [...this.#body.children].filter((row) => !kept.has(row))
    const shown = new Map()
    let before = null
    for (const index of wanted) {
      const known = this.#shown.get(index)
      const row = known ?? spare.shift() ?? this.#make()
      shown.set(index, row)
      if (!this.#library.row(this.#ids[index])) this.#library.ask(this.#ids[index])
      if (!known || this.#stale.has(index)) this.#fill(row, index)
      // In the order of the list, which is the order in which it is read out. What stays, stays there.
      if (!known && (!row.isConnected || row.previousElementSibling !== before)) {
        if (before) before.after(row)
        else this.#body.prepend(row)
      }
      before = row
    }
    for (const row of spare) row.remove()
    this.#shown = shown
    this.#stale.clear()
  }

  /** The places of the rows in sight, and of the one that keys are for. */
  #wanted() {
    const rows = Math.ceil(this.#seen / this.#height)
    const top = Math.min(Math.floor(this.#top / this.#height), this.#ids.length - rows)
    const first = Math.max(0, top - AHEAD)
    const last = Math.min(this.#ids.length, top + rows + 1 + AHEAD)
    const wanted = Array.from({ length: last - first }, (_, i) => first + i)
    if (this.#active < first) wanted.unshift(this.#active)
    if (this.#active >= last && last > 0) wanted.push(this.#active)
    return wanted
  }

  #make() {
    const row = newRow()
    const rate = (rating) => this.#doings.rate(this.#ids[row.dataset.index], rating)
    takeRating(row.querySelector('.stars'), rate)
    return row
  }

  #fill(row, index) {
    const id = this.#ids[index]
    const track = this.#library.row(id)
    const current = this.#current.id === id
    const opinion = this.#doings.opinionOf(id)
    row.dataset.index = String(index)
    row.style.transform = `translateY(calc(var(--row) * ${index}))`
    row.tabIndex = index === this.#active ? 0 : -1
    row.classList.toggle('current', current)
    row.classList.toggle('banned', opinion.banned === true)
    set(row, 'aria-rowindex', String(index + 2))
    set(row, 'aria-current', current && 'true')
    const place = this.#marks?.get(id) ?? String(index + 1)
    fill(row, track, { opinion, playing: current && this.#current.playing, place })
  }

  #click({ type, target, pointerType }) {
    const row = target.closest('.row')
    const id = this.#ids[row.dataset.index]
    const button = target.closest('[data-does]')
    if (button) {
      if (type === 'click') this.#doings[button.dataset.does](id, button)
    } else if (!target.closest('[role=slider], [role=menu]')) {
      row.focus()
      // A finger has no second button, and no hover to show the first.
      if (type === 'dblclick' || pointerType === 'touch') this.#doings.play(id)
    }
  }

  #activate(index) {
    if (index === this.#active) return
    const [before, row] = [this.#active, index].map((one) => this.#shown.get(one))
    this.#active = index
    if (before) before.tabIndex = -1
    if (row) row.tabIndex = 0
  }

  #focus(index) {
    const top = index * this.#height
    const { scrollTop, clientHeight } = this.#box
    const seen = clientHeight - this.#head.offsetHeight - this.#height
    if (top < scrollTop) this.#box.scrollTop = top
    else if (top > scrollTop + seen) this.#box.scrollTop = top - seen
    this.#top = this.#box.scrollTop
    this.#activate(index)
    this.#draw()
    this.#shown.get(index)?.focus({ preventScroll: true })
  }

  #walk(event) {
    if (!this.focused || event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor(this.#box.clientHeight / this.#height) - 2)
    const last = this.#ids.length - 1
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const to = { Home: 0, End: last }[event.key] ?? this.#active + steps[event.key]
    if (!Number.isNaN(to)) this.#focus(Math.min(last, Math.max(0, to)))
    else if (event.key === 'Enter' && !event.target.closest('button')) {
      this.#doings.play(this.active)
    } else return
    event.preventDefault()
  }
}
