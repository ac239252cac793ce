type Labels = Record<string, string>
type Histogram = { labels: Labels; counts: number[]; sum: number; count: number }

/** Histogram buckets in seconds, from fast routes to long replies. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** A value measured at the time of the request. */
export type Gauge = { name: string; help: string; type: 'gauge' | 'counter'; labels?: Labels; value: number }

/** Metrics of this process since its start, in the Prometheus text format (version 0.0.4). */
export type Metrics = {
  observe(name: string, labels: Labels, seconds: number): void
  add(name: string, labels: Labels, amount: number): void
  /** Returns all metrics, including these current values. */
  write(now: Gauge[]): string
}

const helps: Record<string, string> = {
  atrium_request_seconds: 'Requests by route, until their connection is done with.',
  atrium_run_seconds: 'Runs of agents held by this process, until they end or come to rest.',
  atrium_model_call_seconds: 'Calls of models by the kind of their provider.',
  atrium_tool_call_seconds: 'Calls of tools.',
  atrium_job_seconds: 'Jobs in the background.',
  atrium_model_tokens_total: 'Tokens of model calls, as providers count them or as they were counted here.',
}

export function createMetrics(): Metrics {
  const histograms = new Map<string, Map<string, Histogram>>()
  const counters = new Map<string, Map<string, { labels: Labels; value: number }>>()
  return {
    observe: (name, labels, seconds) => {
      const one = entryOf(histograms, name, labels, () => ({
        ...{ labels, sum: 0, count: 0 },
        counts: bounds.map(() => 0),
      }))
      const place = bounds.findIndex((bound) => seconds <= bound)
      if (place >= 0) one.counts[place] = (one.counts[place] ?? 0) + 1
      one.sum += seconds
      one.count += 1
    },
    add: (name, labels, amount) => {
      entryOf(counters, name, labels, () => ({ labels, value: 0 })).value += amount
    },
    write: (now) => {
      const lines = [
        ...[...histograms].flatMap(([name, all]) => [
          ...head(name, helps[name] ?? '', 'histogram'),
          ...[...all.values()].flatMap((one) => writeHistogram(name, one)),
        ]),
        ...[...counters].flatMap(([name, all]) => [
          ...head(name, helps[name] ?? '', 'counter'),
          ...[...all.values()].map(({ labels, value }) => line(name, labels, value)),
        ]),
        ...[...Map.groupBy(now, ({ name }) => name).values()].flatMap(writeGauges),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function entryOf<T>(all: Map<string, Map<string, T>>, name: string, labels: Labels, make: () => T): T {
  const named = all.get(name) ?? new Map<string, T>()
  all.set(name, named)
  const key = JSON.stringify(Object.entries(labels).sort())
  const found = named.get(key) ?? make()
  named.set(key, found)
  return found
}

function writeHistogram(name: string, { labels, counts, sum, count }: Histogram): string[] {
  let below = 0
  const buckets = bounds.map((bound, place) => {
    below += counts[place] ?? 0
    return line(`${name}_bucket`, { ...labels, le: String(bound) }, below)
  })
  const all = line(`${name}_bucket`, { ...labels, le: '+Inf' }, count)
  return [...buckets, all, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)]
}

function writeGauges(gauges: Gauge[]): string[] {
  const [first] = gauges
  if (!first) return []
  const lines = gauges.map(({ name, labels = {}, value }) => line(name, labels, value))
  return [...head(first.name, first.help, first.type), ...lines]
}

const head = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

function line(name: string, labels: Labels, value: number): string {
  const written = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`)
  return `${name}${written.length > 0 ? `{${written.join(',')}}` : ''} ${value}`
}

const escaped = (text: string) => text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))
