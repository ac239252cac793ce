import { AppError } from '#shared/platform/errors.ts'
import type { ServerHealth } from '#shared/tools/own-tools/mcp-health.ts'
import type { Heard } from '../../../platform/mcp/mcp.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findHealth, listHalfHours, listMessages, writeHeard } from './health-store.ts'
import { findSet } from './mcp-store.ts'
import { setOf } from './server-of.ts'

type Deps = Pick<Platform, 'db' | 'clock'>

/** Maximum messages waiting to be stored. Further messages of a chatty server are dropped. */
const MAX_WAITING = 200
const DAY_MS = 86_400_000

/** Stores exchanges between Atrium and servers, one by one in their order. */
export function followHealth({ db, clock, mcp, log }: Deps & Pick<Platform, 'mcp' | 'log'>): void {
  let waiting = 0
  let last = Promise.resolve()
  const note = async (serverId: string, heard: Heard, at: Date) => {
    await writeHeard(db, setOf(serverId), heard, at).catch((error) =>
      log.warn({ error }, 'A message of an MCP server could not be stored.'),
    )
    waiting -= 1
  }
  mcp.onHeard((serverId, heard) => {
    // A server that is being connected does not belong to a set yet.
    if (serverId.startsWith('new-') || waiting >= MAX_WAITING) return
    waiting += 1
    const at = clock.now()
    last = last.then(() => note(serverId, heard, at))
  })
}

/** Returns a server's response times and its latest messages. @throws AppError `conflict` */
export async function readHealth({ db, clock }: Deps, setId: string): Promise<ServerHealth> {
  const now = clock.now()
  const [set, health, messages, halfHours] = await Promise.all([
    findSet(db, setId),
    findHealth(db, setId),
    listMessages(db, setId),
    listHalfHours(db, setId, now),
  ])
  if (!set) throw new AppError('conflict', 'This MCP server does not exist.')
  const answers = halfHours.reduce((sum, one) => sum + one.answers, 0)
  const asked = halfHours.reduce((sum, one) => sum + one.failures, answers)
  const { answered_at = null, answering_since = null, failed_at = null, failure = null } = health ?? {}
  return {
    answered_at: answered_at?.toISOString() ?? null,
    answering_since: answering_since?.toISOString() ?? null,
    ...{ failed_at: failed_at?.toISOString() ?? null, failure },
    median_ms: medianOf(messages.flatMap(({ ms }) => ms ?? [])),
    answered: asked === 0 ? null : answers / asked,
    half_hours: halfHours
      .filter(({ at }) => at.getTime() > now.getTime() - DAY_MS)
      .map((one) => ({ ...one, at: one.at.toISOString() })),
    messages: messages.map((one) => ({ ...one, at: one.at.toISOString() })),
  }
}

function medianOf(values: number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
