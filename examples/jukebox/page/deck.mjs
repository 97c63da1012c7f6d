// Plays beats of a buffer one after another, sample for sample where they follow, faded where not.

/** Seconds over which one place of the piece gives way to another. */
const FADE = 0.012

/**
 * A deck is fed with beats ahead of time. What follows in the piece goes on in the same source node,
 * so that there is no seam; a jump ends that one and starts another.
 *
 * @param {BaseAudioContext} context
 * @param {AudioBuffer} buffer
 * @param {{ start: number, end: number }[]} beats in seconds
 */
export function createDeck(context, buffer, beats, output = context.destination) {
  /** What is to be heard when: ordered, without gaps. */
  let plan = []
  let runs = []

  return {
    /** When what is planned ends, in the context's seconds; `undefined` when nothing is. */
    get end() {
      return plan.at(-1)?.end
    },

    /** The step that was planned last. */
    get last() {
      return plan.at(-1)
    },

    /** The planned beat that sounds at a moment. */
    at(time) {
      return plan.find((step) => step.start <= time && time < step.end)
    },

    /** Adds a beat where the plan ends, or at a moment when there is none yet. */
    add(step, from) {
      const { start, end } = beats[step.beat]
      const previous = plan.at(-1)
      const at = previous ? previous.end : onSample(from)
      if (!previous || previous.beat + 1 !== step.beat) begin(at, start)
      // Reckoned from where the run began, so that roundings do not add up.
      const run = runs.at(-1)
      plan.push({ ...step, start: at, end: onSample(run.start + end - run.offset) })
    },

    /** Forgets all steps that start at a moment or later, and what was long ago. */
    cut(time) {
      plan = plan.filter((step) => step.start < time)
      for (const run of runs.filter((run) => run.start >= time)) stop(run, 0)
      runs = runs.filter((run) => run.start < time)
      // The end of a run was planned too: it sounds on until the next one begins.
      const last = runs.at(-1)
      if (last?.end !== undefined && last.end >= time) resume(last, plan.at(-1)?.end ?? time)
    },

    /** Ends everything at once. */
    stop() {
      for (const run of runs) stop(run, 0)
      plan = []
      runs = []
    },

    /** Lets go of what ended before a moment. */
    forget(time) {
      plan = plan.filter((step) => step.end > time)
      runs = runs.filter((run, i) => i === runs.length - 1 || run.end + FADE > time)
    },
  }

  function begin(at, offset) {
    const previous = runs.at(-1)
    if (previous) finish(previous, at)
    const gain = context.createGain()
    gain.connect(output)
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(gain)
    // It fades in before the beat, while the one before fades out.
    const lead = Math.min(FADE, offset, Math.max(0, at - context.currentTime))
    gain.gain.setValueAtTime(0, 0)
    gain.gain.setValueAtTime(0, at - lead)
    gain.gain.linearRampToValueAtTime(1, at)
    source.start(onSample(at - lead), onSample(offset - lead, buffer.sampleRate))
    runs.push({ start: at, offset, end: undefined, source, gain })
  }

  function finish(run, at) {
    run.end = at
    const from = Math.max(run.start, at - FADE)
    run.gain.gain.setValueAtTime(1, from)
    run.gain.gain.linearRampToValueAtTime(0, at)
    run.source.stop(at)
  }

  function resume(run, at) {
    run.gain.gain.cancelScheduledValues(Math.max(run.start, run.end - FADE) - 1e-6)
    run.end = undefined
    // It cannot be unstopped, but be stopped later; the next run brings that forward.
    run.source.stop(at + buffer.duration)
  }

  function stop({ source, gain }) {
    gain.gain.cancelScheduledValues(0)
    gain.gain.value = 0
    source.stop()
    source.disconnect()
  }

  function onSample(time, rate = context.sampleRate) {
    return Math.round(time * rate) / rate
  }
}
