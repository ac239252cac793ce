import * as contract from '#shared/chat/assistants/versions.ts'
import { AssistantContent, type VersionComparison } from '#shared/chat/assistants/versions.ts'
import { beginningOf, diffLines } from '#shared/chat/checkpoints/text-diff.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { writeAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'
import { differing, findVersion, listVersions } from './version-store.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'config'>

/** Serves the versions of assistants: list, compare, restore. */
export function serveVersions(server: Server, deps: Deps): void {
  const { db, clock, config } = deps
  serve(server, contract.listAssistantVersions, {
    handle: async ({ params, query: { before = null, limit } }) => {
      const found = await listVersions(db, params.assistantId, { before, limit: limit + 1 })
      const items = found.slice(0, limit).map(({ created_at, ...version }) => ({
        ...{ ...version, created_at: created_at.toISOString() },
      }))
      return { items, has_more: found.length > limit }
    },
  })
  serve(server, contract.compareAssistantVersions, {
    handle: async ({ params, query }) => compare(deps, params.assistantId, query.a, query.b),
  })
  serve(server, contract.returnToAssistantVersion, {
    handle: async ({ params: { assistantId, version }, user, request }) => {
      const content = await readVersion(deps, assistantId, version)
      const save = {
        audit: auditBy(deps, { user, request }),
        ...{ savedBy: user.id, returnedFrom: version, keep: config.ATRIUM_LIMIT_ASSISTANT_VERSIONS },
      }
      const row = await writeAssistant(db, user, assistantId, content, undefined, clock.now(), save)
      return toAssistant(row, user)
    },
  })
}

async function compare(deps: Deps, id: string, from: number, to: number): Promise<VersionComparison> {
  const [a, b] = await Promise.all([readVersion(deps, id, from), readVersion(deps, id, to)])
  const [before, after] = [beginningOf(a.system_prompt), beginningOf(b.system_prompt)]
  return { a, b, differs: differing(a, b), instructions: diffLines(before, after) }
}

/** @throws AppError `not_found`, `conflict` for what was kept by rules that hold no more */
async function readVersion({ db }: Deps, id: string, version: number): Promise<AssistantContent> {
  const content = await findVersion(db, id, version)
  if (!content) throw new AppError('not_found', 'This version is not kept. Choose one of the list.')
  const parsed = AssistantContent.safeParse(content)
  if (parsed.success) return parsed.data
  throw new AppError('conflict', 'This version can no longer be read. Choose another one.')
}
