import { Readable } from 'node:stream'
import * as contract from '#shared/identity/audit/audit.ts'
import { assertTimeZone } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { auditBy, changed } from './audit-by.ts'
import { writeAuditFile } from './audit-file.ts'
import { type AuditFilter, checkChain, countFound, findAfter, findNewest } from './store.ts'

export { type Actor, actorOf } from './actor.ts'
export { type Audit, auditBy, changed } from './audit-by.ts'
export { changesBetween } from './changes.ts'
export { actorById, writeAudit } from './entry-store.ts'

const DAY_MS = 86_400_000
const PAGE_OF_FILE = 500

type Wanted = {
  q?: string | undefined
  did?: contract.AuditAction | undefined
  days: number
  refused?: string | undefined
}

/** Serves the audit log. */
export function serveAudit(server: Server, { db: writable, searchDb: db, clock }: Platform): void {
  const filterOf = ({ q = '', did, days, refused }: Wanted): AuditFilter => ({
    ...{ q, did },
    since: days > 0 ? new Date(clock.now().getTime() - days * DAY_MS) : null,
    refused: refused === undefined ? undefined : refused === 'true',
  })
  serve(server, contract.listAudit, {
    handle: async ({ principal, query: { page, limit, ...wanted } }) => {
      const filter = filterOf(wanted)
      const skip = (page - 1) * limit
      const items = await findNewest(db, principal, filter, { skip, limit })
      const total = await countFound(db, principal, filter)
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.exportAudit, {
    handle: async ({
      user,
      principal,
      query: { time_zone: timeZone, language, ...wanted },
      request,
      reply,
    }) => {
      await assertTimeZone(db, timeZone)
      const filter = filterOf(wanted)
      await auditBy({ clock }, { user, request })(writable, {
        ...{ did: 'export.created', subject: 'audit', changes: changed('audit', null, 'csv') },
      })
      const file = writeAuditFile(
        (after) => findAfter(db, principal, filter, { after, limit: PAGE_OF_FILE }),
        language,
        timeZone,
      )
      await reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.csv"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(Readable.from(file))
      // The file itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.checkAudit, { handle: () => checkChain(db) })
}
