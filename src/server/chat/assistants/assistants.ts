import * as contract from '#shared/chat/assistants/assistants.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { createAssistant } from './create-assistant.ts'
import { findAssistant } from './find-assistant.ts'
import { serveHandOver } from './hand-over.ts'
import { listAssistants } from './list-assistants.ts'
import { saveAssistant } from './save-assistant.ts'
import { removeAssistant } from './store.ts'
import { type Deps, serveTransfer } from './transfer.ts'
import { serveVersions } from './versions.ts'

export { createAssistant } from './create-assistant.ts'
export { findAssistant, findChatAssistant } from './find-assistant.ts'
export { handOver } from './hand-over.ts'
export { countShared, findHeirs } from './heir-store.ts'
export { findAssistants, listAssistants, offerAssistants } from './list-assistants.ts'
export { readShares } from './share-store.ts'
export { findWrittenByOthers } from './store.ts'
export { sortParts } from './transfer.ts'

/** Serves assistants: instructions, model and tools for answers. */
export function serveAssistants(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listAssistants, {
    handle: ({ user, query }) => listAssistants(deps, user, query),
  })
  serve(server, contract.getAssistant, {
    handle: ({ params, user }) => findAssistant(deps, user, params.assistantId),
  })
  serve(server, contract.createAssistant, {
    handle: async ({ user, body, request }) => {
      if (body.model_name) await findModelFor(deps, user.id, body.model_name)
      return createAssistant(deps, user, body, auditBy(deps, { user, request }))
    },
  })
  serve(server, contract.updateAssistant, {
    handle: async ({ params, user, body, request }) => {
      return saveAssistant(deps, user, params.assistantId, body, auditBy(deps, { user, request }))
    },
  })
  serve(server, contract.deleteAssistant, {
    handle: async ({ params: { assistantId }, user, request }) => {
      await removeAssistant(db, assistantId, auditBy(deps, { user, request }))
      return { message: 'The assistant was deleted.' }
    },
  })
  serveVersions(server, deps)
  serveTransfer(server, deps)
  serveHandOver(server, deps)
}
