// Clicks on the beats of the piece that plays: higher ones on the first beat of each bar.

/** Seconds between two looks at what plays, and seconds that each look plans ahead. */
const LOOK = 0.1
const AHEAD = 0.3
const CLICK = 0.03

/**
 * @param {HTMLAudioElement} audio
 * @param {() => { time: number, first: boolean }[]} beatsOf the beats of the piece, in order
 * @returns {(on: boolean) => void}
 */
export function clicksOn(audio, beatsOf) {
  let context
  let timer
  let planned = 0
  const look = () => {
    if (audio.paused || context.state !== 'running') return
    const { currentTime, playbackRate } = audio
    // A jump plans anew.
    if (Math.abs(planned - currentTime) > 1) planned = currentTime
    for (const { time, first } of beatsOf()) {
      if (time < planned || time < currentTime) continue
      if (time >= currentTime + AHEAD) break
      click(context, context.currentTime + (time - currentTime) / playbackRate, first)
    }
    planned = currentTime + AHEAD
  }
  return (on) => {
    clearInterval(timer)
    if (!on) return
    if (!context) {
      context = new AudioContext()
      // Through the same context, so that music and clicks are equally late.
      context.createMediaElementSource(audio).connect(context.destination)
    }
    context.resume()
    planned = 0
    timer = setInterval(look, 1_000 * LOOK)
  }
}

function click(context, at, first) {
  const tone = context.createOscillator()
  const level = context.createGain()
  tone.frequency.value = first ? 1_800 : 1_200
  level.gain.setValueAtTime(first ? 0.5 : 0.3, at)
  level.gain.exponentialRampToValueAtTime(0.001, at + CLICK)
  tone.connect(level).connect(context.destination)
  tone.start(at)
  tone.stop(at + CLICK)
}
