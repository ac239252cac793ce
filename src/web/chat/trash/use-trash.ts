import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import {
  deleteTrash,
  emptyTrash,
  listTrash,
  restoreTrash,
  TRASH_LIMIT,
  type TrashItem,
} from '#shared/chat/trash/trash.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const trashKey = ['trash']

/** Deleted chats and documents of a person, in pages; with words the items whose names contain them. */
export function useTrash(q: string) {
  const { data, isError, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...trashKey, q],
    queryFn: ({ pageParam: skip, signal }) =>
      call(listTrash, { query: { ...(q ? { q } : {}), skip: String(skip) }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, skip) =>
      items.length < TRASH_LIMIT || skip + items.length >= total ? undefined : skip + items.length,
    placeholderData: keepPreviousData,
  })
  return {
    items: data?.pages.flatMap(({ items }) => items),
    total: data?.pages[0]?.total ?? 0,
    days: data?.pages[0]?.days ?? null,
    ...{ isError, refetch },
    more: hasNextPage ? { isLoading: isFetching, load: () => void fetchNextPage() } : null,
  }
}

/** Restores items, or deletes them permanently: these, or with null all of them. */
export function useTrashActions(onDone: () => void) {
  const { t } = useTranslation('trash')
  const settled = () => {
    onDone()
    for (const queryKey of [trashKey, ['sessions'], ['sessions-head'], ['documents'], ['workspaces']])
      void queryClient.invalidateQueries({ queryKey })
  }
  const onError = (error: Error) => void toast.error(errorText(t, error))
  const restoring = useMutation({
    mutationFn: (items: readonly TrashItem[]) => call(restoreTrash, { body: { items: named(items) } }),
    onSuccess: ({ items }) => void toast.success(t('restored', { count: items.length })),
    ...{ onError, onSettled: settled },
  })
  const deleting = useMutation({
    mutationFn: async (items: readonly TrashItem[] | null) => {
      if (items === null) return (await call(emptyTrash, {})).deleted
      return (await call(deleteTrash, { body: { items: named(items) } })).items.length
    },
    onSuccess: (count) => void toast.success(t('deleted', { count })),
    ...{ onError, onSettled: settled },
  })
  return { restoring, deleting }
}

const named = (items: readonly TrashItem[]) => items.map(({ kind, id }) => ({ kind, id }))
