import type { Assistant } from '#shared/assistants/assistants.ts'
import * as contract from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import { Id } from '#shared/primitives.ts'
import { companyToShareWith } from '../access/access.ts'
import { type Caller, type Server, serve } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { builtInAssistants } from './built-in.ts'
import { listAssistants } from './list-assistants.ts'
import { findRow, insertAssistant, removeAssistant, writeAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'

export { findAssistants, listAssistants, offerAssistants } from './list-assistants.ts'

/** Assistants: who answers, with which instructions, model and tools. */
export function serveAssistants(server: Server, deps: Platform): void {
  const { db, clock, config, models } = deps
  const assertModel = async (name: string | null | undefined) => {
    if (name) await models.find(name)
  }
  serve(server, contract.listAssistants, {
    handle: ({ user, query }) => listAssistants(deps, user, query),
  })
  serve(server, contract.getAssistant, {
    handle: ({ params, user }) => findAssistant(deps, user, params.assistantId),
  })
  serve(server, contract.createAssistant, {
    handle: async ({ user, body }) => {
      await assertModel(body.model_name)
      const companyId = companyFor(user, body.shared, false) ?? null
      const most = config.ATRIUM_LIMIT_ASSISTANTS_PER_USER
      const row = await insertAssistant(db, user, body, companyId, most)
      if (row) return toAssistant(row, user)
      throw new AppError(
        'conflict',
        `You have ${most} assistants, the most one person may have. Delete one first.`,
      )
    },
  })
  serve(server, contract.updateAssistant, {
    handle: async ({ params, user, body }) => {
      await assertModel(body.model_name)
      const { company_id } = await findRow(db, user, 'write', params.assistantId)
      const companyId = companyFor(user, body.shared, company_id !== null)
      return toAssistant(
        await writeAssistant(db, user, params.assistantId, body, companyId, clock.now()),
        user,
      )
    },
  })
  serve(server, contract.deleteAssistant, {
    handle: async ({ params }) => {
      await removeAssistant(db, params.assistantId)
      return { message: 'The assistant was deleted.' }
    },
  })
}

/** The assistant a chat names; null for none, and for one that is gone or no longer the person's to use. */
export async function findChatAssistant(
  deps: Pick<Platform, 'db'>,
  user: Caller,
  { assistant_id }: Record<string, unknown>,
): Promise<Assistant | null> {
  const id = Id.safeParse(assistant_id)
  if (!id.success) return null
  return findAssistant(deps, user, id.data).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** One assistant. @throws AppError `not_found` for an unknown id, `forbidden` for one that is not the person's to use */
export async function findAssistant(
  { db }: Pick<Platform, 'db'>,
  user: Caller,
  id: string,
): Promise<Assistant> {
  const builtIn = builtInAssistants(user.language).find((assistant) => assistant.id === id)
  return builtIn ?? toAssistant(await findRow(db, user, 'read', id), user)
}

/**
 * The company a save shares an assistant with; null: nobody, undefined: it stays as it is. A shared one stays in its
 * company. @throws AppError `forbidden` for a new share by somebody who administers no company
 */
function companyFor(user: Caller, shared: boolean | undefined, isShared: boolean): string | null | undefined {
  if (!shared || isShared) return shared === false ? null : undefined
  return companyToShareWith(user)
}
