import { Logger } from 'graphile-worker'
import type { Log } from '../log.ts'

/** The queue's words in our log; without one, nothing is said. */
export function quietLogger(log?: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log?.warn({ queue: message }, 'background work')
    else log?.debug({ queue: message }, 'background work')
  })
}
