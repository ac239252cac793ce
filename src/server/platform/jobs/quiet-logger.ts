import type { Logger } from 'graphile-worker'
import type { Log } from '../log.ts'
import { loadQueueLibrary } from './queue-library.ts'

/** Creates a logger for the queue that writes to our log, or discards messages if there is none. */
export async function quietLogger(log?: Log): Promise<Logger> {
  const { Logger } = await loadQueueLibrary()
  return new Logger(() => (level, message) => {
    if (level === 'error') log?.warn({ queue: message }, 'background work')
    else log?.debug({ queue: message }, 'background work')
  })
}
