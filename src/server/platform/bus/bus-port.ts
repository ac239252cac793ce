/** Short-lived messages between the processes of one installation; what is lost here is read from the database. */
export type Bus = {
  publish(topic: string, message: string): void
  /** Calls `listener` for every message from now on; the answer unsubscribes. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** True when other processes hear it too (Redis). */
  readonly isShared: boolean
  close(): Promise<void>
}
