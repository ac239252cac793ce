import type { User } from '#shared/accounts/accounts.ts'
import type { Assistant } from '#shared/assistants/assistants.ts'
import * as contract from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import { type Server, serve } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { builtInAssistants } from './built-in.ts'
import { listAssistants } from './list-assistants.ts'
import { companyFor, mayUse, toAssistant } from './rights.ts'
import { findRow, insertAssistant, removeAssistant, writeAssistant } from './store.ts'

export { findAssistants, offerAssistants } from './list-assistants.ts'

/** Assistants: who answers, with which instructions, model and tools. */
export function serveAssistants(server: Server, deps: Platform): void {
  const { db, clock, config, models } = deps
  const guard = async ({ params, user }: { params: { assistantId: string }; user: User }) => {
    await findAssistant(deps, user, params.assistantId)
  }
  const guardChange = async ({ params, user }: { params: { assistantId: string }; user: User }) => {
    const { can_edit } = await findAssistant(deps, user, params.assistantId)
    if (!can_edit) throw new AppError('forbidden', 'This assistant cannot be changed by you.')
  }
  const assertModel = async (name: string | null | undefined) => {
    if (name) await models.find(name)
  }
  serve(server, contract.listAssistants, {
    handle: ({ user, query }) => listAssistants(deps, user, query),
  })
  serve(server, contract.getAssistant, {
    guard,
    handle: ({ params, user }) => findAssistant(deps, user, params.assistantId),
  })
  serve(server, contract.createAssistant, {
    handle: async ({ user, body }) => {
      await assertModel(body.model_name)
      const companyId = companyFor(user, body.shared, false) ?? null
      const most = config.ATRIUM_LIMIT_ASSISTANTS_PER_USER
      const row = await insertAssistant(db, user.id, body, companyId, most)
      if (row) return toAssistant(row, user)
      throw new AppError(
        'conflict',
        `You have ${most} assistants, the most one person may have. Delete one first.`,
      )
    },
  })
  serve(server, contract.updateAssistant, {
    guard: guardChange,
    handle: async ({ params, user, body }) => {
      await assertModel(body.model_name)
      const { company_id } = await findUsableRow(deps, user, params.assistantId)
      const companyId = companyFor(user, body.shared, company_id !== null)
      return toAssistant(await writeAssistant(db, params.assistantId, body, companyId, clock.now()), user)
    },
  })
  serve(server, contract.deleteAssistant, {
    guard: guardChange,
    handle: async ({ params }) => {
      await removeAssistant(db, params.assistantId)
      return { message: 'The assistant was deleted.' }
    },
  })
}

/** One assistant. @throws AppError `not_found` for an unknown id, `forbidden` for one that is not the person's to use */
export async function findAssistant(deps: Pick<Platform, 'db'>, user: User, id: string): Promise<Assistant> {
  const builtIn = builtInAssistants(user.language).find((assistant) => assistant.id === id)
  return builtIn ?? toAssistant(await findUsableRow(deps, user, id), user)
}

async function findUsableRow({ db }: Pick<Platform, 'db'>, user: User, id: string) {
  const row = await findRow(db, id)
  if (!row) throw new AppError('not_found', 'Assistant not found')
  if (!mayUse(row, user)) throw new AppError('forbidden', 'You do not have access to this assistant.')
  return row
}
