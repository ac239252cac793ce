import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { isNearEnd, type useWorkspaces } from './use-workspaces.ts'

type More = Pick<
  ReturnType<typeof useWorkspaces>,
  'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

/** Loads more of a list when its scroll container comes near its end. */
export function MoreWorkspaces({ list, inside }: { list: More; inside: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation('documents')
  const wanted = useRef(list)
  wanted.current = list
  useEffect(() => {
    const look = () => {
      const scroller = scrollerOf(inside.current)
      const { hasNextPage, isFetching, fetchNextPage } = wanted.current
      if (scroller && isNearEnd(scroller) && hasNextPage && !isFetching) void fetchNextPage()
    }
    // A scroll event of an element does not bubble.
    document.addEventListener('scroll', look, true)
    return () => document.removeEventListener('scroll', look, true)
  }, [inside])
  if (list.isFetchNextPageError) return <WorkspacesFailed onRetry={() => void list.fetchNextPage()} />
  if (!list.isFetchingNextPage) return null
  return (
    <p role="status" className="flex justify-center py-2 text-ink-3">
      <Spinner className="icon-14" />
      <span className="sr-only">{t('common:loading')}</span>
    </p>
  )
}

export function WorkspacesFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('documents')
  return (
    <div role="alert" className="grid justify-items-start gap-2 px-4 py-2 text-13 text-ink-2">
      {t('workspace.load_failed')}
      <Button size="sm" onClick={onRetry}>
        {t('common:actions.retry')}
      </Button>
    </div>
  )
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let one = element; one; one = one.parentElement)
    if (one.scrollHeight > one.clientHeight && getComputedStyle(one).overflowY !== 'visible') return one
  return null
}
