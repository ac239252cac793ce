/** A kind of background work. It must end soon after `signal` is aborted. */
export type JobHandler = (payload: Record<string, unknown>, signal: AbortSignal) => Promise<void>

/** Durable background work with retries; see docs/ARCHITECTURE.md. */
export type Jobs = {
  /** Declares a handler; before `start`. `cron` is a five-field crontab line in UTC. */
  register(name: string, handler: JobHandler, options?: { cron?: string }): void
  /** `key` makes a job unique and cancellable. */
  add(
    name: string,
    payload: Record<string, unknown>,
    options?: { key?: string; runAt?: Date; maxAttempts?: number },
  ): Promise<void>
  /** Aborts the job with this key wherever it runs, and removes it when it waits. */
  cancel(key: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}
