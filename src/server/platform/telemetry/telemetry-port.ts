import type { Metrics } from './metrics.ts'

/**
 * A timed operation. Its name and labels come from closed lists: kinds of agents, route patterns, job names. They must never
 * contain user input.
 */
export type Work = {
  kind: 'request' | 'run' | 'model_call' | 'tool_call' | 'job'
  name: string
  labels: Record<string, string>
}

/** An operation in progress. */
export type Begun = {
  /** Runs a function whose operations become children of this one. */
  within<T>(perform: () => T): T
  end(outcome: string): void
}

/** Records durations and outcomes of operations, for metrics and traces that an administrator has enabled. */
export type Telemetry = {
  begin(work: Work): Begun
  /** Runs and records an operation. `outcome` names the result in a word of a closed list; failures use their error code. */
  observe<T>(work: Work, perform: () => Promise<T>, outcome?: (value: T) => string): Promise<T>
  /** Null if metrics are disabled. */
  metrics: Metrics | null
  /** If false, nothing is recorded and no telemetry code is loaded. */
  isOn: boolean
  /** Sends pending data. */
  close(): Promise<void>
}
