import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { FACTS_PAGE, type Fact } from '#shared/chat/memory/fact.ts'
import {
  changeMemorySettings,
  exportFacts,
  getMemorySettings,
  listFacts,
  type MemorySettings,
} from '#shared/chat/memory/memory.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import type { Given } from '../../platform/lib/api/call.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { factsKey, refreshMemory, settingsKey } from './use-chat-memory.ts'

/** The facts a person may read, in pages; with words those that contain them. */
export function useFacts(q: string, state: Fact['state']) {
  const { data, isError, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...factsKey, state, q],
    queryFn: ({ pageParam: skip, signal }) =>
      call(listFacts, { query: { ...(q ? { q } : {}), state, skip }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, skip) =>
      items.length < FACTS_PAGE || skip + items.length >= total ? undefined : skip + items.length,
    placeholderData: keepPreviousData,
  })
  return {
    items: data?.pages.flatMap(({ items }) => items),
    total: data?.pages[0]?.total ?? 0,
    ...{ isError, refetch },
    more: hasNextPage ? { isLoading: isFetching, load: () => void fetchNextPage() } : null,
  }
}

export function useMemorySettings() {
  return useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => call(getMemorySettings, { signal }),
  })
}

type Changes = NonNullable<Given<typeof changeMemorySettings>['body']>

/** Changes settings. Only what changes is sent, so that two windows do not undo each other. */
export function useSettingsChange() {
  const { t } = useTranslation('memory')
  return useMutation({
    mutationFn: (changes: Changes) => call(changeMemorySettings, { body: changes }),
    onSuccess: (settings: MemorySettings) => queryClient.setQueryData(settingsKey, settings),
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: refreshMemory,
  })
}

/** Saves all facts as a JSON file. */
export async function exportToFile(t: Parameters<typeof errorText>[0]): Promise<void> {
  try {
    const exported = await call(exportFacts, {})
    const blob = new Blob([JSON.stringify(exported, null, 2)], { type: 'application/json' })
    saveFile(blob, 'atrium-memory.json')
  } catch (error) {
    toast.error(errorText(t, error))
  }
}
