import type { Kysely } from 'kysely'
import * as contract from '#shared/chat/assistants/hand-over.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy, changed } from '../../identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findHeirs, giveTo, nameOfPerson } from './heir-store.ts'
import { findRow, findRows } from './store.ts'
import { toAssistant } from './to-assistant.ts'

/** Serves the handover of shared assistants, which outlive their owner's account. */
export function serveHandOver(server: Server, deps: Platform): void {
  const { db } = deps
  serve(server, contract.listHeirs, {
    handle: async ({ params: { assistantId }, user, query: { q = '', ...page } }) => {
      const { user_id: ownerId } = await findRow(db, user, 'manage', assistantId)
      return findHeirs(db, { ownerId, assistantId }, { ...page, q })
    },
  })
  serve(server, contract.handOver, {
    handle: async ({ params: { assistantId }, user, body, request }) => {
      const { user_id: ownerId, can_hand_over } = await findRow(db, user, 'manage', assistantId)
      if (!can_hand_over) throw notNow(ownerId === user.id)
      const given = await db
        .transaction()
        .execute((trx) =>
          handOver(trx, { ownerId, assistantId }, body.user_id, auditBy(deps, { user, request })),
        )
      if (given === 0) throw noHeir()
      const [row] = await findRows(db, user, [assistantId])
      return { assistant: row ? toAssistant(row, user) : null }
    },
  })
}

/** Transfers a user's shared assistants, one or all, to someone who may edit them. Returns their number. */
export async function handOver(
  trx: Kysely<Tables>,
  of: { ownerId: string; assistantId?: string },
  heirId: string,
  audit: Audit,
): Promise<number> {
  const [before, after] = [await nameOfPerson(trx, of.ownerId), await nameOfPerson(trx, heirId)]
  const given = await giveTo(trx, heirId, of)
  for (const { id, name } of given)
    await audit(trx, {
      ...{ did: 'assistant.handed_over', subject: name, subjectId: id },
      changes: changed('owner', before, after),
    })
  return given.length
}

function notNow(isOwner: boolean): AppError {
  return new AppError(
    'conflict',
    isOwner
      ? 'Share the assistant first: only who may edit it can become its owner.'
      : 'As long as the account of its owner is active, only they hand it over.',
  )
}

function noHeir(): AppError {
  const message = 'This person may not edit the assistant. Choose one of those who may.'
  return new AppError('invalid', message, { errors: [{ path: 'user_id', message }] })
}
