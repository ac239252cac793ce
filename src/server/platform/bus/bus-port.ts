/** Transient messages between the processes of one installation. Lost messages are recovered from the database. */
export type Bus = {
  publish(topic: string, message: string): void
  /** Calls `listener` for each later message. Returns a function that unsubscribes. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** True if other processes receive the messages too (Redis). */
  readonly isShared: boolean
  close(): Promise<void>
}
