// Takes an audio file from the page, and has a worker analyse it.
import { clipBytes } from '../../generated-clip.mjs'
import { decode } from './decode.mjs'

const $ = (id) => document.getElementById(id)

/** @param {(file?: File) => void} take - is given what is chosen, dropped, or generated to try it */
export function takeFiles(take) {
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
}

/** The samples of a file, or an error in words. */
export const decoded = (file) => decode(file).catch(() => unreadable(file))

export function unreadable({ name = 'the audio of this page' }) {
  throw new Error(`This browser cannot decode ${name}: choose an audio file that it plays.`)
}

/**
 * The samples go to the worker, and are gone from here.
 *
 * @param {Worker} worker - ends with the analysis, or when the signal aborts
 */
export async function analyse(worker, { samples, sampleRate }, signal) {
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
