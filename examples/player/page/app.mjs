// The player's page: binds views, list, player and keys together.
import { Cards } from './cards.mjs'
import { button, set } from './element.mjs'
import { Grid } from './grid.mjs'
import { takeKeys } from './keys.mjs'
import { Library } from './library.mjs'
import { Listening } from './listening.mjs'
import { openMenu } from './menu.mjs'
import { NowPlaying } from './now-playing.mjs'
import { ScanPanel, toldOf } from './scan-panel.mjs'
import { askedOf, faultOf } from './search.mjs'
import { Taste } from './taste.mjs'
import { drawTaste, listOf } from './taste-view.mjs'
import { UpNext } from './up-next.mjs'
import { addressOf, tracksOf, viewOf } from './views.mjs'
import { own } from './wire.mjs'
import { count, stars } from './words.mjs'

/** Milliseconds from the last letter typed to the search. */
const TYPING = 150
const MOODS = ['happy', 'energetic', 'calm', 'sad', 'tense']

const $ = (id) => document.getElementById(id)
const form = $('search')

// The address shows the token of this run; it need not stay in sight, nor be copied along.
history.replaceState(null, '', `/${location.hash}`)

let view = viewOf(location.hash)
let list = 'all'
let sort = ''
/** Tracks in the library, and those of the view in order. */
let total = 0
let listed = []

const opinionOf = (id) => taste.of(id)
const titleOf = (id) => library.row(id)?.title ?? 'the track'

const library = new Library((ids) => grid.refresh(ids))
const taste = new Taste((id) => {
  grid.refresh([id])
  if (id === listening.playback.track?.id) bar.drawOpinion()
  if (view.name === 'taste') refresh({ keep: true })
})
const listening = new Listening(library, taste, {
  changed() {
    const { track, playing } = listening.playback
    grid.mark(track?.id, playing)
    bar.draw()
    upNext.draw()
  },
  upcoming() {
    bar.drawQueue()
    upNext.draw()
  },
  failed: complain,
})

const doings = { opinionOf, play, toggle, rate, favorite, ban, radio, menu, queue, similar }
const grid = new Grid($('grid'), library, { ...doings, sort: sortBy })
const cards = new Cards($('cards'), { tune, failed: complain })
const bar = new NowPlaying(listening, { ...doings, upNext: turnUpNext, failed: complain })
const upNext = new UpNext($('up-next'), listening, library, { steer, failed: complain })
const panel = new ScanPanel($('scan'), {
  grown: () => refresh({ keep: true }),
  ended,
  failed: complain,
})

begin().catch(complain)

async function begin() {
  const state = await own('state')
  panel.suggest(state.suggestion)
  await Promise.all([refresh(), taste.load()])
  await listening.restore()
  if (listening.queue.radio) showUpNext(true)
  document.body.dataset.ready = 'true'
  if (state.scan.status === 'running') openPanel(true)
  panel.follow(state.scan)
}

// ---- what is shown

let looking
/** Shows what the view and the search ask for; with `keep`, at the same place. */
async function refresh({ keep = false } = {}) {
  looking?.abort()
  looking = new AbortController()
  const { signal } = looking
  try {
    const fault = faultOf(form)
    if (fault) throw new Error(fault)
    ;({ tracks: total } = await own('state', undefined, signal))
    const found = view.cards
      ? await cards.show(view.cards, form.elements.words.value)
      : await shown(signal)
    if (signal.aborted) return
    quiet()
    draw(found, keep)
  } catch (error) {
    if (!signal.aborted) complain(error)
  }
}

/** The ids of the view, with what is shown in the place of their numbers. */
async function shown(signal) {
  if (view.tracks) return tracksOf(view, form, sort, { opinionOf, signal })
  const ids = await listOf(list, taste, library)
  const asked =
    askedOf(form) && new Set((await own(`ids?${new URLSearchParams(askedOf(form))}`)).ids)
  return { ids: asked ? ids.filter((id) => asked.has(id)) : ids }
}

function draw(found, keep) {
  const many = view.cards ? found : found.ids.length
  listed = found.ids ?? []
  $('view-title').textContent = view.title(view.given)
  $('view-note').textContent = noteOf(many)
  $('grid').hidden = true
  $('cards').hidden = !view.cards || many === 0
  if (!view.cards)
    grid.show(listed, {
      sort: sort || (view.name === 'songs' && !askedOf(form) ? 'artist-asc' : ''),
      keep,
      marks: found.marks,
    })
  $('taste').hidden = view.name !== 'taste'
  if (view.name === 'taste') {
    const choose = (name) => {
      list = name
      refresh()
    }
    drawTaste($('taste'), taste, library, { list, choose })
  }
  drawActs()
  for (const tab of document.querySelectorAll('[data-tab]')) {
    set(tab, 'aria-current', tab.dataset.tab === view.tab && 'page')
  }
  const empty = total === 0
  document.body.classList.toggle('empty', empty)
  if (empty || panel.open) panel.show(empty)
  set($('add'), 'aria-expanded', String(panel.open))
  $('nothing').hidden = empty || many > 0
  $('nothing').textContent = nothingOf()
}

function noteOf(many) {
  if (view.cards) return count(many, view.cards.slice(0, -1))
  if (view.name === 'similar') return 'most alike first'
  return view.name === 'songs' && many < total
    ? `${many.toLocaleString('en')} of ${count(total, 'track')}`
    : count(many, 'track')
}

function nothingOf() {
  if (view.name === 'similar') return 'There is nothing yet to compare it with: add more music.'
  if (askedOf(form))
    return 'Nothing is like that. Use fewer words or a wider filter: all words must be in the title, the artist’s name or the album.'
  if (view.name === 'taste')
    return 'Nothing yet. Rate a track with the keys 1 to 5, or press f for a favourite.'
  return view.cards ? 'The tags of your files name none.' : 'There is nothing here.'
}

/** The buttons beside the title. */
function drawActs() {
  const acts = []
  if (listed.length > 0) {
    acts.push(button('Play all', () => listening.play(listed[0], listed)))
    acts.push(button('Shuffle all', shuffleAll))
  }
  const seed = view.seed?.(view.given)
  if (seed)
    acts.push(button('Radio', () => tune(view.given.at(view.name === 'artist' ? 0 : 1), seed)))
  $('view-acts').replaceChildren(...acts)
}

function shuffleAll() {
  listening.queue.setShuffle(true)
  listening.play(listed[Math.floor(Math.random() * listed.length)], listed)
}

addEventListener('hashchange', () => {
  view = viewOf(location.hash)
  sort = ''
  refresh().then(() => grid.focus())
})

async function ended(state) {
  say(toldOf(state))
  library.forget()
  await refresh({ keep: true })
  if (state.status === 'done' && state.failed === 0 && state.total > 0) openPanel(false)
  if (state.status === 'failed') complain(new Error(state.error))
}

/** Sorts by a column, as its head was clicked. */
function sortBy(value) {
  sort = value
  form.elements.sort.value = value
  // Not every order has a place in the form.
  if (form.elements.sort.selectedIndex < 0) form.elements.sort.value = ''
  refresh()
}

// ---- what is done with a track

function play(id) {
  listening.play(id, listed)
}

function toggle() {
  listening.toggle(listed)
}

function rate(id, rating) {
  say(`${titleOf(id)}: ${stars(rating)}`)
  taste.rate(id, rating).catch(complain)
}

function favorite(id) {
  const now = opinionOf(id).favorite !== true
  say(`${titleOf(id)}: ${now ? 'a favourite' : 'no favourite'}`)
  taste.favorite(id, now).catch(complain)
}

function ban(id) {
  const now = opinionOf(id).banned !== true
  say(`${titleOf(id)}: ${now ? 'banned; what plays next passes it over' : 'not banned'}`)
  taste.ban(id, now).catch(complain)
}

function queue(id, first = false) {
  listening.queue.add(id, first)
  say(`${titleOf(id)} plays ${first ? 'next' : 'after what is in the queue'}`)
}

function similar(id) {
  location.hash = addressOf('similar', id, titleOf(id))
}

function radio(id) {
  return tune(titleOf(id), id)
}

/** Starts a radio, and shows what it will play. */
async function tune(title, seed) {
  try {
    if (seed === 'taste' && !taste.likes) {
      throw new Error('Nothing is liked yet: play, rate or favourite some tracks first.')
    }
    await listening.tune(title, seed)
    showUpNext(true)
    say(`Radio: ${title}`)
  } catch (error) {
    complain(error)
  }
}

async function steer(way, id) {
  try {
    await listening.steer(way, id)
    say(`${way === 'more' ? 'More' : 'Less'} like ${titleOf(id)}: what follows has changed`)
  } catch (error) {
    complain(error)
  }
}

function menu(id, beside) {
  openMenu(beside, [
    ['Play next', () => queue(id, true)],
    ['Add to the queue', () => queue(id)],
    ['Sounds alike', () => similar(id)],
    [opinionOf(id).banned ? 'No longer banned' : 'Ban', () => ban(id)],
  ])
}

// ---- the top of the page

$('radio').addEventListener('click', ({ currentTarget }) => {
  const moods = MOODS.map((mood) => [
    mood[0].toUpperCase() + mood.slice(1),
    () => tune(mood, { mood }),
  ])
  openMenu(currentTarget, [['My taste', () => tune('my taste', 'taste')], ...moods])
})

let typing
form.addEventListener('input', () => {
  sort = form.elements.sort.value
  clearTimeout(typing)
  typing = setTimeout(refresh, TYPING)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(typing)
  refresh().then(() => grid.focus())
})
form.addEventListener('reset', () => {
  sort = ''
  // The fields are empty only after this event.
  setTimeout(refresh)
})
$('filter').addEventListener('click', ({ currentTarget }) => {
  $('filters').hidden = !$('filters').hidden
  set(currentTarget, 'aria-expanded', String(!$('filters').hidden))
})

$('add').addEventListener('click', () => {
  openPanel(!panel.open)
  if (panel.open) panel.focus()
})

function openPanel(open) {
  if (open) panel.show(total === 0)
  else panel.hide()
  set($('add'), 'aria-expanded', String(open))
}

function turnUpNext() {
  showUpNext(!upNext.open)
}

function showUpNext(open) {
  upNext.show(open)
  bar.drawUpNext(open)
}

// ---- keys

takeKeys({
  listening,
  doings,
  /** The track that keys are for: the one in the list with the focus, else the one that is playing. */
  chosen: () => (grid.focused ? grid.active : (listening.playback.track?.id ?? grid.active)),
  louder: (by) => bar.setVolume(listening.playback.volume + by),
  upNext: turnUpNext,
  leave() {
    if (askedOf(form) || form.contains(document.activeElement)) {
      form.reset()
      grid.focus()
    } else if (['similar', 'album', 'artist'].includes(view.name)) history.back()
    else if (panel.open && total > 0) openPanel(false)
  },
})

// ---- words to the user

$('alert').querySelector('button').addEventListener('click', quiet)

/** Says what went wrong, in sight and aloud. */
function complain(error) {
  if (!(error instanceof Error)) throw error
  $('alert').hidden = false
  $('alert').querySelector('span').textContent = error.message
}

function quiet() {
  $('alert').hidden = true
}

function say(text) {
  $('said').textContent = text
}
