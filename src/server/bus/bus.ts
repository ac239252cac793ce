import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { createLocalBus } from './local.ts'
import { createRedisBus } from './redis.ts'

/** Short-lived messages between the processes of one installation; what is lost here is read from the database. */
export type Bus = {
  publish(topic: string, message: string): void
  /** Calls `listener` for every message from now on; the answer unsubscribes. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** True when other processes hear it too (Redis). */
  readonly isShared: boolean
  close(): Promise<void>
}

/** The bus of this installation: in process, or Redis when there are several. */
export function createBus({ REDIS_URL }: Pick<Config, 'REDIS_URL'>, log: Log): Bus {
  return REDIS_URL ? createRedisBus(REDIS_URL, log) : createLocalBus()
}
