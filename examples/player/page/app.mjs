// The player's page: what is shown, and what each key and button does.
import { set } from './element.mjs'
import { Grid } from './grid.mjs'
import { Library } from './library.mjs'
import { NowPlaying } from './now-playing.mjs'
import { Playback } from './playback.mjs'
import { ScanPanel, toldOf } from './scan-panel.mjs'
import { askedOf, faultOf, search, sorted } from './search.mjs'
import { Taste } from './taste.mjs'
import { drawTaste, LISTS, opinions } from './taste-view.mjs'
import { own } from './wire.mjs'
import { clock, count, stars } from './words.mjs'

/** Milliseconds from the last letter typed to the search. */
const TYPING = 200
const SEEK_SECONDS = 5

const $ = (id) => document.getElementById(id)
const form = $('search')

// The address shows the token of this run; it need not stay in sight, nor be copied along.
history.replaceState(null, '', '/')

const library = new Library()
let view = 'library'
let list = 'all'
let sort = ''
/** The tracks that a search found, or that sound like one: ids in order. */
let found
let similar
let looking
/** The rows of the list, in order. */
let listed = []

const opinionOf = (id) => taste.of(id)
const taste = new Taste((id) => {
  grid.refresh(id)
  if (id === playback.track?.id) bar.drawOpinion()
  if (view === 'taste') drawTasteBox()
})

const doings = { opinionOf, play, rate, favorite, ban, similar: showSimilar, sort: sortBy }
const grid = new Grid($('grid'), doings)

const playback = new Playback({
  changed(track) {
    grid.mark(track?.id, playback.playing)
    bar.draw()
  },
  count: (id, action) => taste.count(id, action).catch(complain),
  skips: (id) => opinionOf(id).banned === true,
  failed: (message) => complain(new Error(message)),
})
const bar = new NowPlaying(playback, { ...doings, toggle, failed: complain })

const panel = new ScanPanel($('scan'), {
  grown: (rows) =>
    reading(() => {
      library.add(rows)
      refresh({ keep: true })
    }),
  ended: (state) => ended(state),
  failed: complain,
})

begin().catch(complain)

async function begin() {
  const state = await own('state')
  panel.suggest(state.suggestion)
  await taste.load()
  await library.load(() => refresh({ keep: true }))
  document.body.dataset.ready = 'true'
  if (state.scan.status === 'running') openPanel(true)
  panel.follow(state.scan)
}

// ---- the list

let turn = Promise.resolve()
/** Reads the library, one time after the other. */
function reading(read) {
  turn = turn.then(read).catch(complain)
  return turn
}

async function ended(state) {
  say(toldOf(state))
  // What was removed leaves gaps in the pages: all is read anew.
  await reading(() => library.load(() => refresh({ keep: true })))
  if (state.status === 'done' && state.failed === 0 && state.total > 0) openPanel(false)
  if (state.status === 'failed') complain(new Error(state.error))
}

function rowsOf(ids) {
  return ids.flatMap((id) => library.row(id) ?? [])
}

/** Shows what the view and the search ask for. */
function refresh({ keep = false } = {}) {
  const rows = chosen()
  listed = rows
  grid.show(rows, { sort: orderOf(), keep })
  drawHeading(rows)
  for (const button of document.querySelectorAll('[data-view]')) {
    const current =
      view === button.dataset.view || (view === 'similar' && button.dataset.view === 'library')
    set(button, 'aria-current', current && 'page')
  }
  $('taste').hidden = view !== 'taste'
  $('back').hidden = view !== 'similar'
  if (view === 'taste') drawTasteBox()
  const empty = library.rows.length === 0
  if (empty) panel.show(true)
  else if (panel.open) panel.show(false)
  set($('add'), 'aria-expanded', String(panel.open))
  $('add').hidden = empty
  document.body.classList.toggle('empty', empty)
}

function chosen() {
  if (view === 'similar') {
    return similar.tracks.flatMap(({ id, similarity }) => {
      const row = library.row(id)
      return row ? [{ ...row, mark: `${Math.round(similarity * 100)} %` }] : []
    })
  }
  let rows = found ? rowsOf(found) : library.rows
  if (view === 'taste') {
    const { has } = LISTS.find(({ name }) => name === list)
    const among = found && new Set(found)
    rows = opinions(library, taste)
      .filter((one) => has(one) && (!among || among.has(one.row.id)))
      .map(({ row }) => row)
  }
  return sorted(rows, orderOf(), opinionOf)
}

/** The order that was asked for, else the usual one: what matches best, or what is most alike, first. */
function orderOf() {
  if (view === 'similar') return ''
  if (sort !== '') return sort
  if (view === 'taste') return LISTS.find(({ name }) => name === list).sort
  return found ? '' : 'artist-asc'
}

function drawHeading(rows) {
  const all = library.rows.length
  const titles = {
    library: 'Library',
    taste: 'Your taste',
    similar: `Sounds like “${similar?.of.title}”`,
  }
  $('view-title').textContent = titles[view]
  const searching = found && view !== 'similar'
  const seconds = rows.reduce((sum, { duration }) => sum + duration, 0)
  const whole = `${count(rows.length, 'track')} · ${clock(seconds)}`
  const part = `${rows.length.toLocaleString('en')} of ${count(all, 'track')}`
  $('view-note').textContent = view === 'similar' ? 'most alike first' : searching ? part : whole
  document.body.classList.toggle('searching', Boolean(searching))
  const nothing = all > 0 && rows.length === 0
  $('nothing').hidden = !nothing
  if (!nothing) return
  $('nothing').textContent =
    view === 'similar'
      ? 'There is nothing yet to compare it with: add more music.'
      : searching
        ? 'Nothing is like that. All words must be in the title, the album or the artist’s name; styles and moods are those of the files’ tags.'
        : 'Nothing yet. Rate a track with the keys 1 to 5, or press f for a favourite.'
}

function drawTasteBox() {
  const choose = (name) => {
    list = name
    refresh()
  }
  drawTaste($('taste'), opinions(library, taste), library.rows, { list, choose })
}

/** Sorts by a column, as its head was clicked. */
function sortBy(value) {
  sort = value
  form.elements.sort.value = value
  // Not every order has a place in the form.
  if (form.elements.sort.selectedIndex < 0) form.elements.sort.value = ''
  searchNow()
}

async function searchNow() {
  looking?.abort()
  looking = new AbortController()
  const { signal } = looking
  const fault = faultOf(form)
  if (fault) return complain(new Error(fault))
  const asked = askedOf(form)
  try {
    const ids = asked && (await search(asked, signal))
    if (signal.aborted) return
    found = ids
    if (view === 'similar') view = 'library'
    quiet()
    refresh()
    if (asked) say(count(found.length, 'track'))
  } catch (error) {
    if (!signal.aborted) complain(error)
  }
}

async function showSimilar(id) {
  const of = library.row(id)
  if (!of) return
  try {
    const { tracks } = await own(`similar?id=${encodeURIComponent(id)}`)
    similar = { of, tracks }
    view = 'similar'
    refresh()
    say(`${count(tracks.length, 'track')} sound like ${of.title}`)
    grid.focus()
  } catch (error) {
    complain(error)
  }
}

// ---- what is done with a track

function play(id) {
  const track = library.row(id)
  if (track) playback.play(track, listed)
}

function toggle() {
  playback.toggle(listed)
}

function rate(id, rating) {
  say(`${library.row(id).title}: ${stars(rating)}`)
  taste.rate(id, rating).catch(complain)
}

function favorite(id) {
  const now = opinionOf(id).favorite !== true
  say(`${library.row(id).title}: ${now ? 'a favourite' : 'no favourite'}`)
  taste.favorite(id, now).catch(complain)
}

function ban(id) {
  const now = opinionOf(id).banned !== true
  say(`${library.row(id).title}: ${now ? 'banned; next and previous pass it over' : 'not banned'}`)
  taste.ban(id, now).catch(complain)
}

// ---- the top of the page

for (const button of document.querySelectorAll('[data-view]')) {
  button.addEventListener('click', () => {
    view = button.dataset.view
    refresh()
  })
}
$('back').addEventListener('click', back)

function back() {
  view = 'library'
  refresh()
  grid.reveal(similar.of.id)
}

let typing
form.addEventListener('input', () => {
  sort = form.elements.sort.value
  clearTimeout(typing)
  typing = setTimeout(searchNow, TYPING)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(typing)
  searchNow().then(() => grid.focus())
})
form.addEventListener('reset', () => {
  sort = ''
  // The fields are empty only after this event.
  setTimeout(searchNow)
})
$('more').addEventListener('click', ({ currentTarget }) => {
  const open = currentTarget.getAttribute('aria-expanded') !== 'true'
  set(currentTarget, 'aria-expanded', String(open))
})

$('add').addEventListener('click', () => {
  openPanel(!panel.open)
  if (panel.open) panel.focus()
})

function openPanel(open) {
  if (open) panel.show(library.rows.length === 0)
  else panel.hide()
  set($('add'), 'aria-expanded', String(open))
}

const shortcuts = $('shortcuts')
$('help').addEventListener('click', () => shortcuts.showModal())
shortcuts.addEventListener('click', ({ target }) => {
  if (target === shortcuts) shortcuts.close()
})

// ---- keys

const KEYS = {
  ' ': toggle,
  ArrowLeft: () => playback.seek(playback.audio.currentTime - SEEK_SECONDS),
  ArrowRight: () => playback.seek(playback.audio.currentTime + SEEK_SECONDS),
  n: () => playback.next(),
  p: () => playback.previous(),
  f: () => chosenTrack(favorite),
  b: () => chosenTrack(ban),
  s: () => chosenTrack(showSimilar),
  '/': () => form.elements.words.select(),
  '?': () => shortcuts.showModal(),
  '-': () => bar.setVolume(playback.audio.volume - 0.1),
  '+': () => bar.setVolume(playback.audio.volume + 0.1),
  '=': () => bar.setVolume(playback.audio.volume + 0.1),
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5].map((n) => [
      n,
      () => chosenTrack((id) => rate(id, n === 0 ? undefined : 2 * n)),
    ]),
  ),
}

/** The track that keys are for: the one in the list with the focus, else the one that is playing. */
function chosenTrack(act) {
  const id = grid.focused ? grid.active : (playback.track?.id ?? grid.active)
  if (id !== undefined) act(id)
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || shortcuts.open) return
  const { target, key } = event
  if (key === 'Escape') return leave(target)
  const typing = target.matches('input:not([type=range]), select, textarea')
  // A slider has its arrows, a button its space.
  const own = key.startsWith('Arrow')
    ? target.matches('input, [role=slider]')
    : key === ' ' && target.matches('button, summary')
  if (typing || own || !Object.hasOwn(KEYS, key)) return
  event.preventDefault()
  KEYS[key]()
})

function leave(target) {
  if (form.contains(target) || found) {
    form.reset()
    grid.focus()
  } else if (view === 'similar') back()
  else if (panel.open && library.rows.length > 0) openPanel(false)
}

// ---- words to the user

$('alert').querySelector('button').addEventListener('click', quiet)

/** Says what went wrong, in sight and aloud. */
function complain(error) {
  if (!(error instanceof Error)) throw error
  const box = $('alert')
  box.hidden = false
  box.querySelector('span').textContent = error.message
}

function quiet() {
  $('alert').hidden = true
}

function say(text) {
  $('said').textContent = text
}
