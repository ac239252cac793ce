import { beginningOf, diffLines } from '#shared/chat/checkpoints/text-diff.ts'
import * as contract from '#shared/chat/prompts/prompt-versions.ts'
import { PromptContent } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { differing, findVersion, listVersions } from './prompt-version-store.ts'
import { savePrompt } from './save-prompt.ts'

type Deps = Pick<Platform, 'db' | 'clock'>

/** Serves the versions of prompts: list, compare, restore. */
export function serveVersions(server: Server, deps: Deps): void {
  serve(server, contract.listPromptVersions, {
    handle: async ({ params, query: { before = null, limit } }) => {
      const found = await listVersions(deps.db, params.promptId, { before, limit: limit + 1 })
      const items = found
        .slice(0, limit)
        .map(({ created_at, ...version }) => ({ ...version, created_at: created_at.toISOString() }))
      return { items, has_more: found.length > limit }
    },
  })
  serve(server, contract.comparePromptVersions, {
    handle: async ({ params: { promptId }, query }) => {
      const a = await readVersion(deps, promptId, query.a)
      const b = await readVersion(deps, promptId, query.b)
      const lines = diffLines(beginningOf(a.text), beginningOf(b.text))
      return { a, b, differs: differing(a, b), text: lines }
    },
  })
  serve(server, contract.restorePromptVersion, {
    handle: async ({ params: { promptId, version }, user, request }) => {
      const content = await readVersion(deps, promptId, version)
      return savePrompt(deps, user, promptId, content, auditBy(deps, { user, request }), version)
    },
  })
}

/** @throws AppError `not_found`, `conflict` for a version stored by rules that no longer hold */
async function readVersion({ db }: Deps, id: string, version: number): Promise<PromptContent> {
  const content = await findVersion(db, id, version)
  if (!content) throw new AppError('not_found', 'This version does not exist. Choose one of the list.')
  const parsed = PromptContent.safeParse(content)
  if (parsed.success) return parsed.data
  throw new AppError('conflict', 'This version can no longer be read. Choose another one.')
}
