/** Values of a metric by their labels; a single value has no labels. */
type Samples = Readonly<Record<string, number>>

export const gauge = metric('gauge')
export const counter = metric('counter')

/** Makes texts in the exposition format 0.0.4. */
function metric(type: string) {
  return (name: string, help: string, samples: Samples): string => {
    const full = `audile_fleet_${name}`
    const lines = Object.entries(samples).map(([labels, value]) => `${full}${labels} ${value}\n`)
    return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
  }
}
