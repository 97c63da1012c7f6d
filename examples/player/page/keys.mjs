// The keyboard: what each key does where nothing else takes it.

const SEEK_SECONDS = 5
const $ = (id) => document.getElementById(id)

/**
 * @param {object} given
 * @param {import('./listening.mjs').Listening} given.listening
 * @param {Record<string, (id: string, given?: unknown) => void>} given.doings
 * @param {() => string | undefined} given.chosen - the track that keys are for
 * @param {(by: number) => void} given.louder
 * @param {() => void} given.upNext
 * @param {() => void} given.places
 * @param {() => void} given.leave - what Escape does
 */
export function takeKeys({ listening, doings, chosen, louder, upNext, places, leave }) {
  const shortcuts = $('shortcuts')
  const { playback } = listening
  const on = (act, ...more) => {
    const id = chosen()
    if (id !== undefined) doings[act](id, ...more)
  }
  const keys = {
    ' ': () => doings.toggle(),
    ArrowLeft: () => playback.seek(playback.position - SEEK_SECONDS),
    ArrowRight: () => playback.seek(playback.position + SEEK_SECONDS),
    n: () => listening.next(),
    p: () => listening.previous(),
    f: () => on('favorite'),
    b: () => on('ban'),
    q: () => on('queue'),
    r: () => on('radio'),
    s: () => on('similar'),
    c: () => on('correct'),
    g: places,
    u: upNext,
    '/': () => $('search').elements.words.select(),
    '?': () => shortcuts.showModal(),
    '-': () => louder(-0.1),
    '+': () => louder(0.1),
    '=': () => louder(0.1),
  }
  for (let n = 0; n <= 5; n++) keys[n] = () => on('rate', n === 0 ? undefined : 2 * n)

  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('dialog')) return
    if (key === 'Escape') return leave()
    const typing = target.matches('input:not([type=range]), select, textarea')
    // A slider has its arrows, a button its space.
    const own = key.startsWith('Arrow')
      ? target.matches('input, [role=slider]')
      : key === ' ' && target.matches('button, a, summary')
    if (typing || own || !Object.hasOwn(keys, key)) return
    event.preventDefault()
    keys[key]()
  })
  $('help').addEventListener('click', keys['?'])
  shortcuts.addEventListener('click', ({ target }) => target === shortcuts && shortcuts.close())
}
