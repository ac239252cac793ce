import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Bus } from './bus-port.ts'
import { createLocalBus } from './local-bus.ts'
import { createRedisBus } from './redis.ts'

export type { Bus } from './bus-port.ts'

/** The bus of this installation: in process, or Redis when there are several. */
export function createBus({ REDIS_URL }: Pick<Config, 'REDIS_URL'>, log: Log): Bus {
  return REDIS_URL ? createRedisBus(REDIS_URL, log) : createLocalBus()
}
