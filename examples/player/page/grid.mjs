// A table of any length: only the rows in sight are there, and the one that has the focus.
import { cell, cellsOf } from './cells.mjs'
import { element, replace, set } from './element.mjs'

/** Rows beyond either edge that are made ahead of the scrolling. */
const AHEAD = 8
/** Milliseconds of a frame in which rows are made. */
const BUDGET = 8

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
  #height = 0

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
    box.addEventListener('scroll', () => this.#drawSoon(), { passive: true })
    box.addEventListener('keydown', (event) => this.#walk(event))
    box.addEventListener('focusin', ({ target }) => {
      const index = target.closest('.body > .row')?.dataset.index
      if (index !== undefined) this.#activate(Number(index))
    })
    new ResizeObserver(() => {
      const height = this.#rowHeight()
      // Every row has another place then.
      if (height !== this.#height) this.#body.replaceChildren()
      if (height !== this.#height) this.#shown.clear()
      this.#height = height
      this.#drawSoon()
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
    if (!keep) this.#box.scrollTop = 0
    this.#active = keep ? Math.max(0, ids.indexOf(active)) : 0
    const [by, direction] = sort.split('-')
    const order = direction === 'desc' ? 'descending' : 'ascending'
    for (const [name, head] of this.#heads) set(head, 'aria-sort', by === name && order)
    set(this.#box, 'aria-rowcount', String(ids.length + 1))
    this.#box.hidden = ids.length === 0
    this.#body.replaceChildren()
    this.#shown.clear()
    this.#stale.clear()
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

  #rowHeight() {
    return Number.parseFloat(getComputedStyle(this.#box).getPropertyValue('--row'))
  }

  /** Draws in the next frame: once, and before the page is laid out. */
  #drawSoon() {
    this.#frame ??= requestAnimationFrame(() => this.#draw())
  }

  #draw() {
    cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    const { scrollTop, clientHeight } = this.#box
    const height = this.#height || this.#rowHeight()
    this.#height = height
    const first = Math.max(0, Math.floor(scrollTop / height) - AHEAD)
    const last = Math.min(this.#ids.length, Math.ceil((scrollTop + clientHeight) / height) + AHEAD)
    this.#body.style.height = `${this.#ids.length * height}px`
    for (const [index, row] of this.#shown) {
      if ((index >= first && index < last) || index === this.#active) continue
      row.remove()
      this.#shown.delete(index)
      this.#stale.delete(index)
    }
    const wanted = [this.#active]
    for (let index = first; index < last; index++) wanted.push(index)
    const began = performance.now()
    for (const index of wanted) {
      if (index >= this.#ids.length) continue
      const shown = this.#shown.get(index)
      if (!this.#library.row(this.#ids[index])) this.#library.ask(this.#ids[index])
      if (shown && !this.#stale.has(index)) continue
      // What takes longer than that goes on in the next frame, so that scrolling stays smooth.
      if (performance.now() - began > BUDGET) return this.#drawSoon()
      if (shown) this.#fill(shown, index)
      else this.#make(index).style.transform = `translateY(${index * height}px)`
    }
  }

  #make(index) {
    const play = () => this.#doings.play(this.#ids[index])
    const onclick = (event) => {
      if (event.target.closest('button, [role=slider], [role=menu]')) return
      row.focus()
      // A finger has no second button, and no hover to show the first.
      if (event.pointerType === 'touch') play()
    }
    const row = element('div', { role: 'row', class: 'row', onclick, ondblclick: play })
    set(row, 'aria-rowindex', String(index + 2))
    row.dataset.index = String(index)
    this.#shown.set(index, row)
    this.#fill(row, index)
    // In the order of the list, which is the order in which it is read out.
    const after = [...this.#body.children].find((other) => Number(other.dataset.index) > index)
    this.#body.insertBefore(row, after ?? null)
    return row
  }

  #fill(row, index) {
    this.#stale.delete(index)
    const id = this.#ids[index]
    const track = this.#library.row(id)
    row.tabIndex = index === this.#active ? 0 : -1
    const current = this.#current.id === id
    const opinion = this.#doings.opinionOf(id)
    row.classList.toggle('current', current)
    row.classList.toggle('banned', opinion.banned === true)
    set(row, 'aria-current', current && 'true')
    const place = this.#marks?.get(id) ?? String(index + 1)
    if (!track) {
      row.replaceChildren(
        cell('number', element('span', { class: 'place' }, place)),
        cell('title', element('span', { class: 'name' }, '…')),
      )
      return
    }
    const playing = current && this.#current.playing
    replace(row, ...cellsOf(track, { opinion, playing, place }, this.#doings))
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
