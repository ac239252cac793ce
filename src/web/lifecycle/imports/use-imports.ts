import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import {
  getImport,
  type Import,
  isBusy,
  listImportProblems,
  listImports,
  removeImport,
  startImport,
  stopImport,
  undoImport,
} from '#shared/lifecycle/imports/imports.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { sendExport } from './send-export.ts'

/** Interval of reads while a job works on an import. */
const POLL_MS = 1_000
const MAX_LISTED = 20
const PROBLEMS_PER_PAGE = 50

const oneKey = (id: string) => ['imports', 'one', id]

/** Reads one import, again and again while a job works on it. */
export function useImport(id: string | null) {
  return useQuery({
    queryKey: oneKey(id ?? ''),
    queryFn: ({ signal }) => call(getImport, { params: { importId: id ?? '' }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_MS : false),
  })
}

/** Earlier imports, newest first. */
export function useImportList() {
  return useQuery({
    queryKey: ['imports', 'list'],
    queryFn: ({ signal }) => call(listImports, { query: { limit: String(MAX_LISTED) }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? POLL_MS * 2 : false),
  })
}

/** Problems of an import, in pages. `count` is the number of known problems. */
export function useProblems(id: string, count: number) {
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['imports', 'problems', id, count],
    queryFn: ({ pageParam: skip, signal }) => {
      const query = { skip: String(skip), limit: String(PROBLEMS_PER_PAGE) }
      return call(listImportProblems, { params: { importId: id }, query, signal })
    },
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, skip) =>
      items.length === 0 || skip + items.length >= total ? undefined : skip + items.length,
    enabled: count > 0,
    placeholderData: keepPreviousData,
  })
  return {
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    more: hasNextPage ? { isLoading: isFetching, load: () => void fetchNextPage() } : null,
  }
}

/** Starts, stops, undoes and removes an import. */
export function useImportActions(id: string) {
  const params = { importId: id }
  const onSuccess = (one: Import) => {
    queryClient.setQueryData(oneKey(id), one)
    void queryClient.invalidateQueries({ queryKey: ['imports', 'list'] })
  }
  const navigate = useNavigate()
  const starting = useMutation({
    mutationFn: (choice: { with_assistants?: boolean }) => call(startImport, { params, body: choice }),
    onSuccess,
  })
  const stopping = useMutation({ mutationFn: () => call(stopImport, { params }), onSuccess })
  const undoing = useMutation({ mutationFn: () => call(undoImport, { params }), onSuccess })
  const removing = useMutation({
    mutationFn: () => call(removeImport, { params }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['imports', 'list'] })
      void navigate({ to: '/user/data/import/{-$importId}', params: { importId: undefined } })
    },
  })
  const error = starting.error ?? stopping.error ?? undoing.error ?? removing.error
  return { starting, stopping, undoing, removing, error }
}

export type Sent = { name: string; size: number; sent: number; isLost: boolean }

/** Uploads an export file, then shows its import. */
export function useSendExport() {
  const navigate = useNavigate()
  const [sent, setSent] = useState<Sent | null>(null)
  const cancel = useRef<AbortController | null>(null)
  const sending = useMutation({
    mutationFn: (file: File) => {
      cancel.current = new AbortController()
      setSent({ name: file.name, size: file.size, sent: 0, isLost: false })
      const change = (part: Partial<Sent>) => setSent((now) => now && { ...now, ...part })
      return sendExport({
        ...{ file, signal: cancel.current.signal },
        onSent: (bytes) => change({ sent: bytes }),
        onLost: (isLost) => change({ isLost }),
      })
    },
    onSuccess: ({ id }) => navigate({ to: '/user/data/import/{-$importId}', params: { importId: id } }),
    onSettled: () => setSent(null),
  })
  const isCancelled = cancel.current?.signal.aborted === true
  return {
    sent,
    send: sending.mutate,
    error: isCancelled ? null : sending.error,
    cancel: () => cancel.current?.abort(new DOMException('Cancelled', 'AbortError')),
  }
}
