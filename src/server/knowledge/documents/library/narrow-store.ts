import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod'
import type { Category, DocumentNarrowing } from '#shared/knowledge/documents/documents.ts'
import { extensionsOf } from '#shared/knowledge/documents/file-kinds.ts'
import { type Principal, waysToReadDocument } from '../../../platform/access/access.ts'
import { ofSource } from '../../source-items/source-items.ts'

/** The filters of a list, without its order. */
export type Narrowing = z.output<typeof DocumentNarrowing>
export type Scope = { chat_session_id?: string | undefined; workspace_id?: string | undefined }

/**
 * Returns mutually exclusive conditions on `d`: one for the principal's own documents, and one per company. A single statement over their
 * union would scan every document.
 */
export function sourcesOf(principal: Principal, filter: Narrowing, scope: Scope): RawBuilder<unknown>[] {
  const meant = conditionsOf(filter, scope)
  return waysToReadDocument(principal, 'd').map((way) => sql.join([way, ...meant], sql` and `))
}

function conditionsOf(filter: Narrowing, scope: Scope): RawBuilder<unknown>[] {
  const { q, type, status, starred, from_chats, language, tag, from, to, min_size, max_size } = filter
  const { parent_id, class_id } = filter
  const conditions: RawBuilder<unknown>[] = []
  if (q) conditions.push(sql`d.name ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`)
  if (type) conditions.push(sql`coalesce(d.format, d.extension) = any(${extensions(type)}::text[])`)
  if (status) conditions.push(sql`d.status = ${status}`)
  if (starred !== undefined) conditions.push(sql`d.is_starred = ${starred}`)
  if (from_chats !== undefined) conditions.push(from_chats ? isFromChat : sql`not ${isFromChat}`)
  if (language) conditions.push(sql`d.language = ${language}`)
  if (tag) conditions.push(sql`d.tags <> '{}' and d.tags @> array[${tag}]`)
  if (from) conditions.push(sql`d.created_at >= ${from}`)
  if (to) conditions.push(sql`d.created_at < ${to}`)
  if (min_size !== undefined) conditions.push(sql`d.size >= ${min_size}`)
  if (max_size !== undefined) conditions.push(sql`d.size <= ${max_size}`)
  if (class_id) conditions.push(sql`${class_id}::uuid in (select classes_of_document(d.id))`)
  const source = ofSource(filter)
  if (source) conditions.push(source)
  // Inner documents are listed below their parent, and found by name.
  if (parent_id) conditions.push(sql`d.parent_id = ${parent_id}`)
  else if (!q && !scope.chat_session_id) conditions.push(sql`d.parent_id is null`)
  if (scope.workspace_id) conditions.push(inWorkspace(scope.workspace_id))
  if (scope.chat_session_id)
    conditions.push(
      sql`d.id in (select document_id from session_documents where session_id = ${scope.chat_session_id})`,
    )
  return conditions
}

export function inWorkspace(id: string): RawBuilder<unknown> {
  return sql`d.id in (select document_id from workspace_documents where workspace_id = ${id})`
}

const isFromChat = sql`exists (select from session_documents s where s.document_id = d.id)`

const extensions = (type: Category) => [...extensionsOf(type)]
