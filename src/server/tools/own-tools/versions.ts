import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#shared/platform/errors.ts'
import { HttpCall } from '#shared/tools/own-tools/http-call.ts'
import type { ToolVersion } from '#shared/tools/own-tools/own-tools.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { Platform } from '../../platform/platform.ts'
import { isSame } from './save-tool.ts'
import { addVersion, listVersions, type StoredTool } from './store.ts'

type Row = Awaited<ReturnType<typeof listVersions>>[number]
type Wish = { before: number; limit: number }

/** Returns a page of a tool's versions, newest first. */
export async function readVersions(
  { db }: Pick<Platform, 'db'>,
  { id, kind }: StoredTool,
  { before, limit }: Wish,
): Promise<{ items: ToolVersion[]; has_more: boolean }> {
  // Reads one more than shown, because each lists its changes since the previous one.
  const rows = await listVersions(db, id, before, limit + 1)
  const items = rows.slice(0, limit).map((row, index) => ({
    ...{ version: row.version, ui_name: row.name, description: row.description },
    call: kind === 'api' ? HttpCall.parse(row.definition) : null,
    created_at: row.created_at.toISOString(),
    changed: changedParts(row, rows[index + 1]),
  }))
  return { items, has_more: rows.length > limit }
}

function changedParts(row: Row, before: Row | undefined): string[] {
  if (!before) return []
  const words = (['name', 'description', 'icon'] as const).filter((part) => row[part] !== before[part])
  const parts = Object.keys({ ...before.definition, ...row.definition })
  return [
    ...words,
    ...parts.filter((part) => !isDeepStrictEqual(row.definition[part], before.definition[part])),
  ]
}

/** Creates a version with the content of an earlier one. @throws AppError `not_found` */
export async function returnTo(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  stored: StoredTool,
  version: number,
  audit: Audit,
): Promise<void> {
  const [row] = await listVersions(db, stored.id, version + 1, 1)
  if (row?.version !== version) throw new AppError('not_found', `The tool has no version ${version}.`)
  const { name, description, icon, definition } = row
  const words = { name, description, icon }
  if (isSame(stored, words, definition)) return
  await db.transaction().execute(async (trx) => {
    await addVersion(trx, stored, words, definition, clock.now())
    const changes = changed('returned to', null, String(version))
    await audit(trx, { did: 'tool.changed', subject: name, subjectId: stored.id, changes })
  })
}
