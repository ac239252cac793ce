import { ACTIVITY_DAYS, getOverview } from '#shared/lifecycle/overview/overview.ts'
import { administeredBy, reaches } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { readVersion } from '../../platform/process/version.ts'
import { readDays, readFigures } from './activity-store.ts'
import { findAttention } from './attention-store.ts'

/** Serves the overview of administrators, limited to the companies they administer. */
export function serveOverview(server: Server, { searchDb: db, clock }: Platform): void {
  const version = readVersion()
  const started_at = clock.now().toISOString()
  serve(server, getOverview, {
    handle: async ({ principal }) => {
      const now = clock.now()
      const isSuper = reaches(principal, 'super_admin')
      const companies = isSuper ? null : administeredBy(principal)
      const to = dayOf(now)
      const from = dayOf(new Date(now.getTime() - (ACTIVITY_DAYS - 1) * 86_400_000))
      const [attention, days, figures] = await Promise.all([
        findAttention(db, companies, now),
        readDays(db, companies, { from, to }),
        readFigures(db, companies, to),
      ])
      return { attention, days, ...figures, process: isSuper ? { version, started_at } : null }
    },
  })
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
