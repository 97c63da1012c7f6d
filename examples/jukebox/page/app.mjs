// The page: takes an audio file or a saved jukebox, has it analysed, shows it, and saves it.

import { analyse, decoded, takeFiles, unreadable } from '../../browser/page/take.mjs'
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

takeFiles(take)
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
      const samples = await decoded(file)
      if (work.signal.aborted) return
      const analysis = await analyse(new Worker(workerUrl), samples, work.signal)
      show(songOf(analysis, file.name))
      await hear(file)
    }
  } catch (error) {
    if (!work.signal.aborted) problem(error)
  }
  if (!work.signal.aborted) $('work').hidden = true
}

/** Whether a file may be the audio of the song that was saved without it. */
async function fits(file) {
  const { samples, sampleRate } = await decoded(file)
  return Math.abs(samples[0].length / sampleRate - song.duration) < SAME
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
