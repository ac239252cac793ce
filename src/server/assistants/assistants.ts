import type { User } from '#shared/accounts/accounts.ts'
import type { Assistant } from '#shared/assistants/assistants.ts'
import * as contract from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../features.ts'
import { serve } from '../http/serve.ts'
import { builtInAssistants } from './built-in.ts'
import {
  findRow,
  findUsable,
  insertAssistant,
  mayUse,
  removeAssistant,
  toAssistant,
  writeAssistant,
} from './store.ts'

/** Assistants: who answers, with which instructions, model and tools. */
export const serveAssistants: Feature = (server, deps) => {
  const { db, clock, models } = deps
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
  serve(server, contract.listAssistants, { handle: ({ user }) => listAssistants(deps, user) })
  serve(server, contract.getAssistant, {
    guard,
    handle: ({ params, user }) => findAssistant(deps, user, params.assistantId),
  })
  serve(server, contract.createAssistant, {
    handle: async ({ user, body }) => {
      await assertModel(body.model_name)
      return toAssistant(await insertAssistant(db, user, body), user)
    },
  })
  serve(server, contract.updateAssistant, {
    guard: guardChange,
    handle: async ({ params, user, body }) => {
      await assertModel(body.model_name)
      return toAssistant(await writeAssistant(db, user, params.assistantId, body, clock.now()), user)
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

/** Every assistant a person may use: own and shared ones, newest first, then those of the product. */
export async function listAssistants({ db }: Pick<Deps, 'db'>, user: User): Promise<Assistant[]> {
  const rows = await findUsable(db, user)
  return [...rows.map((row) => toAssistant(row, user)), ...builtInAssistants(user.language)]
}

/** One assistant. @throws AppError `not_found` for an unknown id, `forbidden` for one that is not the person's to use */
export async function findAssistant({ db }: Pick<Deps, 'db'>, user: User, id: string): Promise<Assistant> {
  const builtIn = builtInAssistants(user.language).find((assistant) => assistant.id === id)
  if (builtIn) return builtIn
  const row = await findRow(db, id)
  if (!row) throw new AppError('not_found', 'Assistant not found')
  if (!mayUse(row, user)) throw new AppError('forbidden', 'You do not have access to this assistant.')
  return toAssistant(row, user)
}
