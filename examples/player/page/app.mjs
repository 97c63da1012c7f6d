// The player's page: binds views, list, player and keys together.
import { actsOf } from './acts.mjs'
import { Cards } from './cards.mjs'
import { Corrections } from './correct.mjs'
import { button, set } from './element.mjs'
import { doings, first, grid, library } from './first-rows.mjs'
import { takeKeys } from './keys.mjs'
import { Listening } from './listening.mjs'
import { NowPlaying } from './now-playing.mjs'
import { drawReview } from './review.mjs'
import { complain, quiet, say } from './said.mjs'
import { takeSaved } from './saved.mjs'
import { ScanPanel, toldOf } from './scan-panel.mjs'
import { askedOf, faultOf } from './search.mjs'
import { Taste } from './taste.mjs'
import { drawTaste, listOf } from './taste-view.mjs'
import { UpNext } from './up-next.mjs'
import { addressOf, noteOf, nothingOf, tracksOf, viewOf } from './views.mjs'
import { own } from './wire.mjs'

/** Milliseconds from the last letter typed to the search. */
const TYPING = 150

const $ = (id) => document.getElementById(id)
const form = $('search')

// The address shows the token of this run; it need not stay in sight, nor be copied along.
history.replaceState(null, '', `/${location.hash}`)

let view = viewOf(location.hash)
let list = 'all'
let sort = ''
/** The question that is under way. */
let looking
/** Tracks in the library, and those of the view in order. */
let total = 0
let listed = []

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

const acts = actsOf({
  ...{ library, taste, listening, say, failed: complain },
  correct: (id, title) => corrections.open(id, title),
  radioOn: () => showUpNext(true),
})
Object.assign(doings, acts, { play, toggle, sort: sortBy })
const cards = new Cards($('cards'), { tune: acts.tune, failed: complain })
const bar = new NowPlaying(listening, { ...doings, upNext: turnUpNext, failed: complain })
const upNext = new UpNext($('up-next'), listening, library, { steer: acts.steer, failed: complain })
const corrections = new Corrections($('correct'), listening, { corrected, failed: complain })
const panel = new ScanPanel($('scan'), {
  grown: () => refresh({ keep: true }),
  ended,
  failed: complain,
})

begin().catch(complain)

async function begin() {
  const opinions = taste.load()
  if (first && view.name === 'songs') draw(first, true)
  const state = await own('state')
  total = state.tracks
  await Promise.all([refresh({ keep: true }), opinions])
  panel.suggest(state.suggestion)
  if (view.name === 'taste') await refresh()
  else grid.refresh()
  await listening.restore()
  // On a phone, it would hide all else.
  if (listening.queue.radio && innerWidth > 900) showUpNext(true)
  document.body.dataset.ready = 'true'
  if (state.scan.status === 'running') openPanel(true)
  panel.follow(state.scan)
}

// ---- what is shown

/** Shows what the view and the search ask for; with `keep`, at the same place. */
async function refresh({ keep = false } = {}) {
  looking?.abort()
  looking = new AbortController()
  const { signal } = looking
  try {
    const fault = faultOf(form)
    if (fault) throw new Error(fault)
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
  if (view.name === 'review') {
    const banned = (id) => taste.of(id).banned === true
    const play = (id, ids) => listening.play(id, ids)
    // In a large library, the comparison takes a while.
    draw({ ids: [] })
    await drawReview($('review'), { play, ban: acts.ban, banned, failed: complain })
    return { ids: [] }
  }
  if (view.tracks) return tracksOf(view, form, sort, { opinionOf: acts.opinionOf, signal })
  const ids = await listOf(list, taste, library)
  const asked =
    askedOf(form) && new Set((await own(`ids?${new URLSearchParams(askedOf(form))}`)).ids)
  return { ids: asked ? ids.filter((id) => asked.has(id)) : ids }
}

function draw(found, keep = false) {
  total = found.total ?? total
  library.take(found.rows ?? [])
  const many = found.many ?? (view.cards ? found : found.ids.length)
  listed = found.ids ?? []
  $('view-title').textContent = view.title(view.given)
  $('view-note').textContent = noteOf(view, many, total)
  $('grid').hidden = true
  $('cards').hidden = !view.cards || many === 0
  if (!view.cards) grid.show(listed, { sort, keep, marks: found.marks })
  $('review').hidden = view.name !== 'review'
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
  $('nothing').hidden = empty || many > 0 || view.name === 'review'
  $('nothing').textContent = nothingOf(view, askedOf(form))
}

/** The buttons beside the title. */
function drawActs() {
  const buttons = []
  if (listed.length > 0) {
    buttons.push(button('Play all', () => listening.play(listed[0], listed)))
    buttons.push(button('Shuffle all', shuffleAll))
  }
  const seed = view.seed?.(view.given)
  const title = view.given[view.name === 'artist' ? 0 : 1]
  if (seed) buttons.push(button('Radio', () => acts.tune(title, seed)))
  $('view-acts').replaceChildren(...buttons)
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

async function corrected(id, detail) {
  library.forget()
  const [track] = await library.want([id])
  listening.playback.renew(track)
  if (id === listening.playback.track?.id) bar.show(detail)
  say(`${track.title} is corrected`)
}

// ---- the top of the page

$('radio').addEventListener('click', ({ currentTarget }) => acts.radioMenu(currentTarget))

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
  // The fields are empty only after this event.
  setTimeout(() => {
    sort = form.elements.sort.value
    refresh()
  })
})
$('filter').addEventListener('click', ({ currentTarget }) => {
  $('filters').hidden = !$('filters').hidden
  set(currentTarget, 'aria-expanded', String(!$('filters').hidden))
})

takeSaved($('saved'), $('save'), {
  asked: () => askedOf(form) && { ...askedOf(form), sort },
  ask(asked) {
    form.reset()
    for (const [name, value] of Object.entries(asked)) form.elements[name].value = value
    if (view.name !== 'songs') location.hash = addressOf('songs')
  },
  say,
  failed: complain,
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
  places: () => bar.openPlaces(),
  leave() {
    if (askedOf(form) || form.contains(document.activeElement)) {
      form.reset()
      grid.focus()
    } else if (['similar', 'album', 'artist'].includes(view.name)) history.back()
    else if (panel.open && total > 0) openPanel(false)
  },
})
