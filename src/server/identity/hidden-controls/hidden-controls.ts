import type { Kysely } from 'kysely'
import * as contract from '#shared/identity/hidden-controls/hidden-controls.ts'
import { type Control, controls, withInside } from '#shared/platform/controls.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import {
  findHiddenEverywhere,
  findHiddenFrom,
  findHiddenIn,
  type HiddenFrom,
  lockCompanyForHiding,
  replaceHidden,
  setHiddenEverywhere,
} from './store.ts'

/** Serves the hidden controls to administrators. `GET /users/me` says what is hidden from a person. */
export function serveHiddenControls(server: Server, deps: Platform): void {
  const { db } = deps
  serve(server, contract.listHiddenControls, {
    handle: async ({ params: { companyId } }) => {
      const rows = new Map((await findHiddenIn(db, companyId)).map((row) => [row.control, row]))
      return { items: controls.map((control) => ({ ...shown, ...rows.get(control), control })) }
    },
  })
  serve(server, contract.hideControl, {
    handle: ({ user, request, params: { companyId, control }, body }) =>
      db.transaction().execute(async (trx) => {
        const company = await lockCompanyForHiding(trx, companyId)
        if (company === undefined) throw new AppError('not_found', 'Company not found')
        const read = async () => ({ ...shown, ...(await findHiddenIn(trx, companyId, control))[0], control })
        const before = await read()
        await replaceHidden(trx, companyId, control, { ...body, groupIds: body.group_ids })
        const after = await read()
        const changes = changed('hidden_from', namesOf(before), namesOf(after))
        const entry = { actor: actorOf(user, request), subject: control, companyId, changes }
        if (changes.length > 0) await writeAudit(trx, deps.clock.now(), { ...entry, did: 'control.hidden' })
        return after
      }),
  })
  serveHiddenEverywhere(server, deps)
}

function serveHiddenEverywhere(server: Server, { db, clock }: Platform): void {
  const list = async (from: Kysely<Tables>) => {
    const hidden = await findHiddenEverywhere(from)
    return controls.filter((control) => hidden.has(control))
  }
  serve(server, contract.listControlsHiddenEverywhere, { handle: () => list(db) })
  serve(server, contract.hideControlEverywhere, {
    handle: ({ user, request, params: { control }, body: { everyone } }) =>
      db.transaction().execute(async (trx) => {
        if (await setHiddenEverywhere(trx, control, everyone)) {
          const entry = { actor: actorOf(user, request), subject: control, companyId: null }
          const [before, after] = everyone ? [null, EVERYONE] : [EVERYONE, null]
          const changes = changed('hidden_from', before, after)
          await writeAudit(trx, clock.now(), { ...entry, did: 'control.hidden', changes })
        }
        return list(trx)
      }),
  })
}

/** Returns the controls that are hidden from a person, those inside others included. */
export async function hiddenControls(db: Kysely<Tables>, userId: string): Promise<Control[]> {
  return withInside(await findHiddenFrom(db, userId))
}

const shown = { everyone: false, groups: [], by_installation: false }

const EVERYONE = 'everyone but administrators'

/** Returns from whom a control is hidden, for the audit log; null if it is shown to everyone. */
function namesOf({ everyone, groups }: HiddenFrom): string | null {
  return [...(everyone ? [EVERYONE] : []), ...groups.map(({ name }) => name)].join(', ') || null
}
