import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { listDocuments } from '#shared/knowledge/documents/documents.ts'
import { Category, DocumentStatus } from '#shared/knowledge/documents/documents.ts'
import type { Given } from '../../../platform/lib/api/call.ts'
import { querySourcePart, readSourcePart, type SourcePart, writeSourcePart } from './filters/source-part.ts'

export type DocumentQuery = Omit<
  NonNullable<Given<typeof listDocuments>['query']>,
  'chat_session_id' | 'workspace_id' | 'page' | 'limit'
>
export const cardVariants = ['default', 'list', 'compact', 'icon'] as const
export type CardVariant = (typeof cardVariants)[number]
export const sorts = ['date', 'name', 'size', 'type', 'status', 'workspace', 'star', 'language'] as const
export type Sort = (typeof sorts)[number]

/** The library state in the address; days as `2026-11-22`, sizes in bytes. */
export type LibraryFilter = SourcePart & {
  q: string
  type: Category | null
  status: DocumentStatus | null
  starred: boolean
  /** Only documents from chats. */
  fromChats: boolean
  language: string | null
  tag: string | null
  /** The id of a class of data. */
  dataClass: string | null
  from: string | null
  to: string | null
  minSize: number | null
  maxSize: number | null
  chat: string | null
  sort: Sort
  order: 'asc' | 'desc'
  view: CardVariant
}

/** The filter, order and layout of the library, stored in the address, so that they can be shared and navigated back to. */
export function useLibraryFilter() {
  const given = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const written = JSON.stringify(given)
  const filter = useMemo(() => readFilter(JSON.parse(written)), [written])
  const query = useMemo(() => queryOf(filter), [filter])
  const change = (part: Partial<LibraryFilter>) =>
    void navigate({ to: '.', search: writeFilter({ ...filter, ...part }), replace: true })
  return { filter, query, change, isFiltered: Object.keys(narrowing(filter)).length > 0 }
}

/** Parses an address; invalid parts are ignored. */
export function readFilter(given: Record<string, unknown>): LibraryFilter {
  const text = (name: string) => (typeof given[name] === 'string' && given[name] ? given[name] : null)
  const one = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === given[name]) ?? null
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name) ?? '') ? text(name) : null)
  const bytes = (name: string) => (/^\d{1,15}$/.test(text(name) ?? '') ? Number(text(name)) : null)
  return {
    q: text('q') ?? '',
    type: one('type', Category.options),
    status: one('status', DocumentStatus.options),
    starred: given.starred === 'true',
    fromChats: given.from_chats === 'true',
    ...{ language: text('language'), tag: text('tag'), chat: text('chat') },
    dataClass: text('class'),
    ...{ from: day('from'), to: day('to'), minSize: bytes('min_size'), maxSize: bytes('max_size') },
    ...readSourcePart(text, day),
    sort: one('sort', sorts) ?? 'date',
    order: one('order', ['asc', 'desc'] as const) ?? 'desc',
    view: one('view', cardVariants) ?? 'default',
  }
}

/** Returns the address of a filter, without defaults. */
export function writeFilter(filter: LibraryFilter): Record<string, string> {
  const { sort, order, view, chat } = filter
  return {
    ...narrowing(filter),
    ...(chat && { chat }),
    ...(sort === 'date' ? {} : { sort }),
    ...(order === 'desc' ? {} : { order }),
    ...(view === 'default' ? {} : { view }),
  }
}

function narrowing(filter: LibraryFilter) {
  const { q, type, status, starred, fromChats, language, tag, from, to, minSize, maxSize } = filter
  const { dataClass } = filter
  return {
    ...(q && { q }),
    ...(type && { type }),
    ...(status && { status }),
    ...(starred && { starred: 'true' }),
    ...(fromChats && { from_chats: 'true' }),
    ...(language && { language }),
    ...(tag && { tag }),
    ...(dataClass && { class: dataClass }),
    ...(from && { from }),
    ...(to && { to }),
    ...(minSize !== null && { min_size: String(minSize) }),
    ...(maxSize !== null && { max_size: String(maxSize) }),
    ...writeSourcePart(filter),
  }
}

/** Returns the filter as a server query; a day is a full local day. */
export function queryOf(filter: LibraryFilter): DocumentQuery {
  const { q, type, status, starred, fromChats, language, tag, from, to, minSize, maxSize, sort, order } =
    filter
  const { dataClass } = filter
  return {
    ...{ sort, order },
    ...(q.trim() && { q: q.trim().slice(0, 200) }),
    ...(type && { type }),
    ...(status && { status }),
    ...(starred && { starred: 'true' as const }),
    ...(fromChats && { from_chats: 'true' as const }),
    ...(language && { language }),
    ...(tag && { tag }),
    ...(dataClass && { class_id: dataClass }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
    ...(minSize !== null && { min_size: minSize }),
    ...(maxSize !== null && { max_size: maxSize }),
    ...querySourcePart(filter),
  }
}

/** Returns true when a query narrows the list by words alone, which contents can be searched for as well. */
export const isOnlyWords = (query: DocumentQuery): boolean =>
  query.q !== undefined && Object.keys(query).every((key) => ['q', 'sort', 'order'].includes(key))
