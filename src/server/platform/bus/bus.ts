import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Bus } from './bus-port.ts'
import { createLocalBus } from './local-bus.ts'
import { createRedisBus } from './redis.ts'

export type { Bus } from './bus-port.ts'

/** Creates the bus of this installation: Redis if `REDIS_URL` is set, otherwise in-process. */
export function createBus({ REDIS_URL }: Pick<Config, 'REDIS_URL'>, log: Log): Bus {
  return REDIS_URL ? createRedisBus(REDIS_URL, log) : createLocalBus()
}
