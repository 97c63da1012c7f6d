// The media keys, and what the system shows of the track (Media Session API).

/** The system only heeds a page with a media element that plays: this one plays silence. */
const silence = new Audio()
silence.loop = true
silence.preload = 'none'
silence.src = '/player/silence'

/** @param {import('./listening.mjs').Listening} listening */
export function takeMediaKeys(listening, toggle) {
  if (!('mediaSession' in navigator)) return
  const { playback } = listening
  const does = {
    play: toggle,
    pause: toggle,
    stop: () => playback.pause(),
    previoustrack: () => listening.previous(),
    nexttrack: () => listening.next(),
    seekto: ({ seekTime }) => playback.seek(seekTime),
    seekbackward: ({ seekOffset = 10 }) => playback.seek(playback.position - seekOffset),
    seekforward: ({ seekOffset = 10 }) => playback.seek(playback.position + seekOffset),
  }
  for (const [action, act] of Object.entries(does)) {
    navigator.mediaSession.setActionHandler(action, act)
  }
}

/** Tells the system what plays, and where it is. */
export function tellSystem({ id, title, artist, release }, { playing, position, duration }) {
  if (!('mediaSession' in navigator)) return
  const session = navigator.mediaSession
  if (playing) silence.play().catch(() => {})
  else silence.pause()
  session.playbackState = playing ? 'playing' : 'paused'
  const artwork = [{ src: `/player/cover/${id}` }]
  session.metadata = new MediaMetadata({ title, artist, album: release ?? '', artwork })
  if (duration > 0) session.setPositionState({ duration, position: Math.min(position, duration) })
}
