// The page: takes an audio file or a saved jukebox, has it analysed, shows it, and saves it.

import { decode } from '../../browser/page/decode.mjs'
import { clipBytes } from '../../generated-clip.mjs'
import { clock, decimals } from '../../report/words.mjs'
import { songFrom, songOf } from '../song.mjs'
import { pageText, save } from './share.mjs'
import { createStage } from './stage.mjs'
import { tunePanel } from './tune.mjs'

const $ = (id) => document.getElementById(id)
/** Seconds by which audio may differ from the piece that was saved without it. */
const SAME = 0.5

const given = JSON.parse($('data').textContent)
$('data').textContent = 'null'
const asPage = pageText(document.documentElement)
const workerUrl = URL.createObjectURL(
  new Blob([$('worker').textContent], { type: 'text/javascript' }),
)

let song
let stage
/** The audio file of the song, once it is known. */
let audio
/** Ends what is at work. */
let cancel = () => {}
const panel = tunePanel((tune) => {
  song.tune = tune
  stage.retune(tune)
})

if (given) {
  show(given)
  if (given.audio) {
    fetch(given.audio)
      .then((response) => response.blob())
      .then(hear)
      .catch(problem)
  }
}

$('file').addEventListener('change', ({ target }) => {
  take(target.files[0])
  target.value = ''
})
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  $('drop').classList.add('over')
})
document.addEventListener('dragleave', () => $('drop').classList.remove('over'))
document.addEventListener('drop', (event) => {
  event.preventDefault()
  $('drop').classList.remove('over')
  take(event.dataTransfer.files[0])
})
$('try').addEventListener('click', () => take(new File([clipBytes(60)], 'A generated tune.wav')))
$('cancel').addEventListener('click', () => {
  cancel()
  $('work').hidden = true
  tell('Cancelled.')
})
$('save-song').addEventListener('click', () => {
  const { audio: _, ...rest } = song
  save(`${song.title}.jukebox.json`, JSON.stringify(rest), 'application/json')
})
$('save-page').addEventListener('click', async () => {
  const text = await asPage(song, audio)
  save(`${song.title}.jukebox.html`, text, 'text/html')
})

async function take(file) {
  if (!file) return
  cancel()
  const work = new AbortController()
  cancel = () => work.abort()
  problem()
  try {
    if (file.name.endsWith('.json')) {
      show(songFrom(await file.text()))
    } else if (song && !audio && (await fits(file))) {
      await hear(file)
    } else {
      $('work').hidden = false
      $('progress').removeAttribute('value')
      tell(`Analysing ${file.name} …`)
      const made = songOf(await analysisOf(file, work.signal), file.name)
      if (work.signal.aborted) return
      show(made)
      await hear(file)
    }
  } catch (error) {
    if (!work.signal.aborted) problem(error)
  }
  if (!work.signal.aborted) $('work').hidden = true
}

/** Whether a file may be the audio of the song that was saved without it. */
async function fits(file) {
  const { samples, sampleRate } = await decode(file).catch(() => unreadable(file))
  return Math.abs(samples[0].length / sampleRate - song.duration) < SAME
}

async function analysisOf(file, signal) {
  const { samples, sampleRate } = await decode(file).catch(() => unreadable(file))
  if (signal.aborted) return undefined
  const worker = new Worker(workerUrl)
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      worker.onerror = ({ message }) => reject(new Error(`The analysis failed: ${message}`))
      worker.onmessage = ({ data: { heard, analysis } }) => {
        if (analysis) resolve(analysis)
        // What follows the last sample takes about a third of the time.
        else $('progress').value = 0.7 * heard
      }
      const buffers = samples.map(({ buffer }) => buffer)
      worker.postMessage({ samples, sampleRate }, buffers)
    })
  } finally {
    worker.terminate()
  }
}

function unreadable({ name = 'the audio of this page' }) {
  throw new Error(`This browser cannot decode ${name}: choose an audio file that it plays.`)
}

/** Puts a song on the page; its audio comes later. */
function show(made) {
  stage?.close()
  song = made
  audio = undefined
  document.title = `${song.title} – jukebox`
  $('title').textContent = song.title
  $('facts').textContent = [
    song.by,
    song.tempo > 0 && `${decimals(song.tempo)} BPM`,
    `${song.metre}/4`,
    song.key,
    clock(song.duration),
  ]
    .filter(Boolean)
    .join(' · ')
  document.body.classList.add('shown')
  $('box').hidden = false
  $('side').hidden = false
  $('promise').hidden = true
  $('save-page').disabled = true
  $('beats').textContent = `of ${song.beats.length}`
  stage = createStage(song, tell)
  panel.show(song)
  stage.retune(song.tune)
  $('ask').textContent = `Choose the audio of ${song.title}`
  tell(song.audio ? 'Loading the audio …' : 'The audio is not in a saved file: drop it here too.')
}

async function hear(file) {
  try {
    await stage.load(await file.arrayBuffer())
  } catch {
    unreadable(file)
  }
  audio = file
  $('ask').textContent = 'Another piece'
  $('save-page').disabled = false
  tell('Ready.')
}

function tell(text) {
  $('told').textContent = text
}

function problem(error) {
  $('problem').textContent = error?.message ?? ''
  if (error) tell('')
}
