import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  DOCUMENTS_PER_PAGE,
  type Document,
  type DocumentPage,
  listDocumentMonths,
  listDocuments,
} from '#shared/knowledge/documents/documents.ts'
import { getLibraryState } from '#shared/knowledge/documents/library-state.ts'
import { listWorkspaceDocuments } from '#shared/knowledge/workspaces/workspaces.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isOver } from '../progress.ts'
import type { Month } from './dates/months.ts'
import type { DocumentQuery } from './library-filter.ts'

/** Polling interval of documents being processed, because phases and pages are not pushed. */
const WORKING_MS = 2000

/** The listed documents: all, those of a workspace, or those of a chat. */
export type Scope = { workspaceId: string | null; sessionId: string | null }
/** Positions in the list, inclusive. */
export type Span = { first: number; last: number }

/** Documents as a list of `total` positions, of which only the visible pages are loaded. */
export function useLibrary(scope: Scope, wanted: DocumentQuery, span: Span) {
  const first = useQuery(pageQuery(scope, wanted, 1))
  const [shown, setShown] = useState<DocumentQuery | null>(null)
  // The previous list stays until the first page of the new one arrives.
  useEffect(() => {
    if (first.isSuccess) setShown(wanted)
  }, [first.isSuccess, wanted])
  const query = shown ?? wanted
  const pages = shown ? pagesOf(span) : []
  const results = useQueries({ queries: pages.map((page) => pageQuery(scope, query, page)) })
  const byNumber = new Map<number, DocumentPage>()
  for (const [index, { data }] of results.entries()) if (data) byNumber.set(pages[index] ?? 0, data)
  const newest = results.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data
  const total = newest?.total ?? first.data?.total ?? 0
  const failed = results.find(({ isError, data }) => isError && !data)
  return {
    isPending: first.isPending && !shown,
    isChanging: first.isFetching && wanted !== query,
    error: first.isError && !shown ? first.error : (failed?.error ?? null),
    total,
    at: (place: number): Document | undefined =>
      byNumber.get(pageAt(place))?.items[place % DOCUMENTS_PER_PAGE],
    retry: () => {
      void first.refetch()
      for (const { isError, refetch } of results) if (isError) void refetch()
    },
  }
}

/** Loads every matching document in the largest pages, for actions on all of them. */
export async function readAll(scope: Scope, query: DocumentQuery, signal: AbortSignal): Promise<Document[]> {
  const found: Document[] = []
  for (let page = 1; ; page++) {
    const { items, has_more } = await readPage(scope, { ...query, limit: 200 }, page, signal)
    found.push(...items)
    if (!has_more) return found
  }
}

/** The used storage, its limit, and the number of documents by state. */
export function useLibraryState() {
  return useQuery({
    queryKey: ['documents', 'state'],
    queryFn: ({ signal }) => call(getLibraryState, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The newest documents of a chat, and their number. */
export function useChatDocuments(sessionId: string) {
  return useQuery(pageQuery({ workspaceId: null, sessionId }, { sort: 'date', order: 'desc' }, 1))
}

/** The months of the list in its order; none unless it is sorted by date. */
export function useMonths({ workspaceId, sessionId }: Scope, query: DocumentQuery): readonly Month[] {
  const { sort, order, ...narrowing } = query
  const scope = {
    ...(workspaceId && { workspace_id: workspaceId }),
    ...(sessionId && { chat_session_id: sessionId }),
  }
  const { data } = useQuery({
    queryKey: ['documents', 'months', scope, narrowing],
    queryFn: ({ signal }) => {
      const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
      return call(listDocumentMonths, { query: { ...narrowing, ...scope, time_zone }, signal })
    },
    enabled: sort === 'date',
    placeholderData: keepPreviousData,
  })
  if (!data || sort !== 'date') return []
  return order === 'asc' ? data.months.toReversed() : data.months
}

function pageQuery(scope: Scope, query: DocumentQuery, page: number) {
  return {
    queryKey: ['documents', 'page', scope, query, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => readPage(scope, query, page, signal),
    refetchInterval: ({ state: { data } }: { state: { data: DocumentPage | undefined } }) =>
      data?.items.every(isOver) === false ? WORKING_MS : false,
  } as const
}

function readPage(
  { workspaceId, sessionId }: Scope,
  query: DocumentQuery & { limit?: number },
  page: number,
  signal: AbortSignal,
): Promise<DocumentPage> {
  if (workspaceId)
    return call(listWorkspaceDocuments, { params: { workspaceId }, query: { ...query, page }, signal })
  const chat = sessionId ? { chat_session_id: sessionId } : {}
  return call(listDocuments, { query: { ...query, ...chat, page }, signal })
}

const pageAt = (place: number) => Math.floor(place / DOCUMENTS_PER_PAGE) + 1

function pagesOf({ first, last }: Span): number[] {
  const [from, to] = [pageAt(Math.max(0, first)), pageAt(Math.max(0, last))]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
