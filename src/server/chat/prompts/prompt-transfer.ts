import * as contract from '#shared/chat/prompts/prompt-transfer.ts'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import { MAX_PROMPTS } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { contentOf } from './prompt-version-store.ts'
import { createPrompts } from './save-prompt.ts'
import { readPrompts } from './store.ts'
import { findUsable } from './usable-settings.ts'

/** Serves files of prompts. */
export function serveTransfer(server: Server, deps: Deps): void {
  serve(server, contract.exportPrompts, {
    handle: async ({ user, body, request }) => {
      const ids = body.ids ?? null
      const rows = await readPrompts(deps.db, user, ids, MAX_PROMPTS)
      if (rows.length === 0) throw new AppError('not_found', 'There are no prompts to export.')
      await auditBy(deps, { user, request })(deps.db, {
        ...{
          did: 'export.created',
          subject: 'prompts',
          changes: changed('prompts', null, String(rows.length)),
        },
      })
      const prompts = rows.map((row) => {
        const { documents: _, ...content } = contentOf(row)
        return content
      })
      return { atrium: 'prompts' as const, format: 1 as const, prompts }
    },
  })
  serve(server, contract.importPrompts, {
    handle: async ({ user, body, request }) => {
      const { contents, without } = await keepUsable(deps, user, body.prompts)
      const renamed = await createPrompts(deps, user, contents, auditBy(deps, { user, request }))
      return { count: contents.length, renamed, without }
    },
  })
}

/** Removes the settings that a person may not use. `without` counts the prompts that lost any. */
async function keepUsable(deps: Deps, user: Caller, prompts: contract.PromptFile['prompts']) {
  const contents: PromptContent[] = []
  let without = 0
  for (const prompt of prompts) {
    const { usable, leftOut } = await findUsable(deps, user, { ...prompt, documents: [] })
    const { agent_type: _, ...settings } = usable
    if (leftOut.assistant || leftOut.model !== null || leftOut.tools > 0) without += 1
    contents.push({ ...prompt, ...settings })
  }
  return { contents, without }
}
