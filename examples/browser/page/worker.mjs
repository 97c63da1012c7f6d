// Analyses samples beside the page, so that the page stays responsive, and says how far it is.
import { Analyzer } from 'audile/analysis'

self.onmessage = ({ data: { samples, sampleRate } }) => {
  const analyzer = new Analyzer({ sampleRate, channels: samples.length })
  const frames = samples[0].length
  for (let from = 0; from < frames; from += sampleRate) {
    analyzer.push(samples.map((channel) => channel.subarray(from, from + sampleRate)))
    self.postMessage({ heard: Math.min(1, (from + sampleRate) / frames) })
  }
  self.postMessage({ analysis: analyzer.finish() })
}
