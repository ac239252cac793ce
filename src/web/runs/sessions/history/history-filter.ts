import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

/** Filter of the chats that the history lists. */
export type HistoryFilter = { isArchived: boolean; tags: readonly string[] }

export const allChats: HistoryFilter = { isArchived: false, tags: [] }

/** Returns the key of a filtered list; null for the whole history. */
export function keyOfFilter({ isArchived, tags }: HistoryFilter): string | null {
  if (!isArchived && tags.length === 0) return null
  return `${isArchived ? 'archived' : ''}:${[...tags].sort().join(',')}`
}

/** The filter of the address, and how to set it. */
export function useHistoryFilter(): [HistoryFilter, (filter: HistoryFilter) => void] {
  const { chats, chat_tags } = useSearch({ strict: false }) as { chats?: unknown; chat_tags?: unknown }
  const navigate = useNavigate()
  const filter = useMemo(
    () => ({ isArchived: chats === 'archived', tags: readTags(chat_tags) }),
    [chats, chat_tags],
  )
  const set = ({ isArchived, tags }: HistoryFilter) => {
    const search = {
      chats: isArchived ? 'archived' : undefined,
      chat_tags: tags.length > 0 ? tags.join(',') : undefined,
    }
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...search })) as never,
      replace: true,
    })
  }
  return [filter, set]
}

function readTags(text: unknown): string[] {
  if (typeof text !== 'string') return []
  return [...new Set(text.split(',').flatMap((tag) => tag.trim() || []))]
}
