import { AppError } from '#shared/platform/errors.ts'
import type { Decision } from '#shared/tools/own-tools/mcp-servers.ts'
import { type Audit, changed } from '../../../identity/audit/audit.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { assertMayAllow } from '../../tool-policies/tool-policies.ts'
import { findCompaniesReached, lockOwner, writePolicy, writeSwitch } from '../store.ts'
import { forgetNews, listToolsOf, type SetTool } from './mcp-store.ts'

type Deps = Pick<Platform, 'db'>

/**
 * Stores an owner's decision about a tool of their server.
 * @throws AppError `invalid` for a tool of another server, `conflict` if it has changed since the owner saw it, `forbidden`
 * for a permission on behalf of a company they do not administer
 */
export async function decideTool(
  { db }: Deps,
  user: Caller,
  setId: string,
  { tool_id, policy, is_on, version }: Decision & { tool_id: string },
  audit: Audit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const tool = (await listToolsOf(trx, setId)).find(({ id }) => id === tool_id)
    if (!tool) throw new AppError('invalid', 'This server has no such tool.')
    await lockOwner(trx, tool.user_id)
    if (policy === 'auto') assertMayAllow(user, await whoseSet(trx, setId, tool))
    if (policy === 'auto' || is_on === true) assertSeen(tool, version)
    if (policy !== undefined) await writePolicy(trx, tool_id, policy)
    if (is_on !== undefined) await writeSwitch(trx, tool_id, is_on)
    await forgetNews(trx, setId, [tool_id])
    const changes = [
      ...(policy === undefined ? [] : changed('policy', tool.policy, policy)),
      ...(is_on === undefined ? [] : changed('on', String(tool.is_on), String(is_on))),
    ]
    await audit(trx, { did: 'tool.changed', subject: tool.name, subjectId: tool_id, changes })
  })
}

type Seen = { tool_id: string; version: number }

/** Decides for all tools that claim to be read-only and that the owner has seen. @throws as `decideTool` */
export async function decideReading(
  { db }: Deps,
  user: Caller,
  setId: string,
  { policy, tools }: { policy: 'auto' | 'ask'; tools: readonly Seen[] },
  audit: Audit,
): Promise<void> {
  const seen = new Map(tools.map(({ tool_id, version }) => [tool_id, version]))
  await db.transaction().execute(async (trx) => {
    const listed = await listToolsOf(trx, setId)
    const [first] = listed
    if (!first) return
    await lockOwner(trx, first.user_id)
    if (policy === 'auto') assertMayAllow(user, await whoseSet(trx, setId, first))
    const reading = listed.filter(({ id, is_there, definition }) => {
      return is_there && definition.claim === 'reads' && seen.has(id)
    })
    for (const tool of reading) {
      assertSeen(tool, seen.get(tool.id))
      await writePolicy(trx, tool.id, policy)
      const changes = changed('policy', tool.policy, policy)
      await audit(trx, { did: 'tool.changed', subject: tool.name, subjectId: tool.id, changes })
    }
    await forgetNews(
      trx,
      setId,
      reading.filter(({ is_on }) => is_on).map(({ id }) => id),
    )
  })
}

async function whoseSet(db: Deps['db'], setId: string, { user_id }: SetTool) {
  return { userId: user_id, companies: await findCompaniesReached(db, setId) }
}

/** @throws AppError `conflict` */
function assertSeen({ name, version }: SetTool, seen: number | undefined): void {
  if (seen === undefined || seen === version) return
  throw new AppError(
    'conflict',
    `The server has changed what ${name} does since you looked. Read its description again.`,
  )
}
