import * as contract from '#shared/assistants/assistants.ts'
import { type Server, serve } from '../http/serve.ts'
import { companyFor, createAssistant } from './create-assistant.ts'
import { findAssistant } from './find-assistant.ts'
import { listAssistants } from './list-assistants.ts'
import { findRow, removeAssistant, writeAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'
import { type Deps, serveTransfer } from './transfer.ts'
import { serveVersions } from './versions.ts'

export { findAssistant, findChatAssistant } from './find-assistant.ts'
export { findAssistants, listAssistants, offerAssistants } from './list-assistants.ts'

/** Assistants: who answers, with which instructions, model and tools. */
export function serveAssistants(server: Server, deps: Deps): void {
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
      return createAssistant(deps, user, body)
    },
  })
  serve(server, contract.updateAssistant, {
    handle: async ({ params, user, body }) => {
      await assertModel(body.model_name)
      const { company_id } = await findRow(db, user, 'write', params.assistantId)
      const companyId = companyFor(user, body.shared, company_id !== null)
      const save = { savedBy: user.id, returnedFrom: null, keep: config.ATRIUM_LIMIT_ASSISTANT_VERSIONS }
      const row = await writeAssistant(db, user, params.assistantId, body, companyId, clock.now(), save)
      return toAssistant(row, user)
    },
  })
  serve(server, contract.deleteAssistant, {
    handle: async ({ params }) => {
      await removeAssistant(db, params.assistantId)
      return { message: 'The assistant was deleted.' }
    },
  })
  serveVersions(server, deps)
  serveTransfer(server, deps)
}
