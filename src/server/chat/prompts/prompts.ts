import * as contract from '#shared/chat/prompts/prompts.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { applyPrompt } from './apply-prompt.ts'
import { serveTransfer } from './prompt-transfer.ts'
import { serveVersions } from './prompt-versions.ts'
import { createPrompt, duplicatePrompt, savePrompt } from './save-prompt.ts'
import { findPrompt, listPrompts, removePrompt } from './store.ts'
import { toListedPrompt, toPrompt } from './to-prompt.ts'

export { contentOf } from './prompt-version-store.ts'
export { createPrompts, insertPrompts } from './save-prompt.ts'
export { lockCommands } from './store.ts'
export { findUsable } from './usable-settings.ts'

/** Serves prompts: texts with typed fields that start or continue a chat. */
export function servePrompts(server: Server, deps: Deps): void {
  const { db } = deps
  const by = (call: Parameters<typeof auditBy>[1]) => auditBy(deps, call)
  serve(server, contract.listPrompts, {
    handle: async ({ user, query }) => {
      const { rows, total } = await listPrompts(db, user, query)
      return { items: rows.map((row) => toListedPrompt(row, user)), total }
    },
  })
  serve(server, contract.getPrompt, {
    handle: async ({ user, params }) => toPrompt(await findPrompt(db, user, 'read', params.promptId), user),
  })
  serve(server, contract.createPrompt, {
    handle: ({ user, body, request }) => createPrompt(deps, user, body, by({ user, request })),
  })
  serve(server, contract.updatePrompt, {
    handle: ({ user, params, body, request }) =>
      savePrompt(deps, user, params.promptId, body, by({ user, request })),
  })
  serve(server, contract.deletePrompt, {
    handle: async ({ user, params, request }) => {
      await removePrompt(db, params.promptId, by({ user, request }))
      return { message: 'The prompt was deleted.' }
    },
  })
  serve(server, contract.duplicatePrompt, {
    handle: ({ user, params, request }) =>
      duplicatePrompt(deps, user, params.promptId, by({ user, request })),
  })
  serve(server, contract.applyPrompt, {
    handle: ({ user, params, body }) => applyPrompt(deps, user, { ...params, promptId: body.prompt_id }),
  })
  serveVersions(server, deps)
  serveTransfer(server, deps)
}
