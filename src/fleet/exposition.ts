/** By their labels; a single value has none. */
type MetricValues = Readonly<Record<string, number>>

export const gauge = makeMetric('gauge')
export const counter = makeMetric('counter')

/** The exposition format 0.0.4 of Prometheus. */
function makeMetric(type: string) {
  return (name: string, help: string, samples: MetricValues): string => {
    const fullName = `audile_fleet_${name}`
    const lines = Object.entries(samples).map(
      ([labels, value]) => `${fullName}${labels} ${value}\n`,
    )
    return `# HELP ${fullName} ${help}\n# TYPE ${fullName} ${type}\n${lines.join('')}`
  }
}
