import type { Metrics } from './metrics.ts'

/**
 * Something that takes time. Its name and labels come from closed lists: kinds of agents, routes as they are declared, names of jobs.
 * Nothing that people write, name or send may stand in them.
 */
export type Work = {
  kind: 'request' | 'run' | 'model_call' | 'tool_call' | 'job'
  name: string
  labels: Record<string, string>
}

/** Work under way. */
export type Begun = {
  /** What is begun inside of it belongs to it. */
  within<T>(perform: () => T): T
  end(outcome: string): void
}

/** How long things take and how they end, for the metrics and traces that an administrator has switched on. */
export type Telemetry = {
  begin(work: Work): Begun
  /** Performs work; `outcome` says in one word of a closed list how it ended, an error's own code where it failed. */
  observe<T>(work: Work, perform: () => Promise<T>, outcome?: (value: T) => string): Promise<T>
  /** Null while no metrics are wanted. */
  metrics: Metrics | null
  /** False: nothing is noted, and nothing is loaded for it. */
  isOn: boolean
  /** Sends what was not sent yet. */
  close(): Promise<void>
}
