import { useQuery } from '@tanstack/react-query'
import { GitBranch, RotateCcw, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { type MapMessage, readBranchMap } from '#shared/chat/branches/branches.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { uncoverChat } from '../../platform/lib/chat-panel.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { goToBranch, useLeaf } from '../messages/messages.tsx'
import { BranchMap } from './branch-map.tsx'
import { BranchSearch } from './branch-search.tsx'

type BranchPanelProps = {
  sessionId: string
  /** `find` opens the search. */
  subject?: string | null
}

/** The branch map of the current chat, next to it, updated while the chat continues. */
export default function BranchPanel({ sessionId, subject }: BranchPanelProps) {
  const { t } = useTranslation('streaming_blocks')
  const { leafId, version } = useLeaf()
  const { data, isError, refetch } = useQuery({
    queryKey: ['branch-map', sessionId],
    queryFn: ({ signal }) => call(readBranchMap, { params: { sessionId }, signal }),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said meanwhile is on the map too.
  useEffect(() => void refetch(), [version, refetch])
  useFocusBack()
  const [isSearching, setSearching] = useState(subject === 'find')
  const open = (messageId: string) => {
    uncoverChat()
    void goToBranch(messageId, t)
  }
  const leaves = useMemo(() => countLeaves(data?.messages ?? []), [data])
  return (
    <>
      <PanelHeader
        title={t('panel.branches')}
        icon={<GitBranch aria-hidden className="icon" />}
        badges={
          data && (
            <span className="num truncate text-13 text-ink-3 max-sm:hidden">
              {t('branch.map_size', {
                messages: t('branch.messages', { count: data.messages.length }),
                branches: t('branch.branches', { count: leaves }),
              })}
            </span>
          )
        }
        actions={
          <IconButton
            name={t('branch.find')}
            aria-expanded={isSearching}
            on={isSearching}
            onClick={() => setSearching(!isSearching)}
          >
            <Search aria-hidden className="icon" />
          </IconButton>
        }
      />
      {isSearching ? (
        <BranchSearch sessionId={sessionId} onOpen={open} onClose={() => setSearching(false)} />
      ) : data && data.messages.length > 0 ? (
        <BranchMap
          messages={data.messages}
          leafId={data.messages.some(({ id }) => id === leafId) ? leafId : data.active_leaf}
          takesFocus
          onOpen={open}
        />
      ) : data ? (
        <EmptyState icon={<GitBranch aria-hidden />} title={t('panel.branches')}>
          {t('branch.map_empty')}
        </EmptyState>
      ) : isError ? (
        <EmptyState
          icon={<GitBranch aria-hidden />}
          title={t('branch.map_failed')}
          action={
            <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
              {t('load_failed.retry')}
            </Button>
          }
        />
      ) : (
        <MapSkeleton />
      )}
    </>
  )
}

/** Restores the focus from before the map was opened when it closes. */
function useFocusBack(): void {
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
}

function countLeaves(messages: readonly MapMessage[]): number {
  const parents = new Set(messages.map(({ parent_id }) => parent_id))
  return messages.filter(({ id }) => !parents.has(id)).length
}

function MapSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('branch.map_loading')} className="p-5">
      <Delayed>
        {[72, 56, 64, 48, 60].map((width) => (
          <span key={width} className="flex h-11 items-center gap-4">
            <Skeleton className="size-3 rounded-full" />
            <Skeleton className="h-3 w-3/5" />
          </span>
        ))}
      </Delayed>
    </div>
  )
}
