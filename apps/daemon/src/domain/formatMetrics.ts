/** A Prometheus metric family. */
export type Metric = {
  name: string
  type: 'counter' | 'gauge'
  help: string
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[]
}

/** Formats metrics in the Prometheus text format, version 0.0.4. */
export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics.map(formatFamily).join('')
}

function formatFamily({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** Converts raw units to whole tokens. The result is rounded, so it suits graphs but not sums. */
export function toTokens(amount: bigint, decimals: number): number {
  return Number(amount) / 10 ** decimals
}
