import type { Server } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { forgetPages } from './store.ts'

export { addressesOfEngines } from './ask-engines.ts'
export { briefPages, type NamedPage } from './brief-pages.ts'
export { createWebPort } from './web-port.ts'

const HOUR_MS = 3_600_000

/** Registers the job that deletes expired pages of web searches. */
export function serveWebSearch(_: Server, { jobs, db, clock, config }: Platform): void {
  const forget = () =>
    forgetPages(db, new Date(clock.now().getTime() - config.ATRIUM_WEB_CACHE_HOURS * HOUR_MS))
  jobs.register('forget-web-pages', forget, { cron: '23 * * * *' })
}
