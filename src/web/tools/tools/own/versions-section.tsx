import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { listToolVersions } from '#shared/tools/own-tools/own-tools.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { returnTo, versionsKey } from './save.ts'

/** Versions of a tool, each with a restore button. */
export function VersionsSection({ tool: { id, version } }: { tool: Tool }) {
  const { t } = useTranslation('own_tools')
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: versionsKey(id),
    queryFn: ({ pageParam, signal }) =>
      call(listToolVersions, {
        params: { toolId: id },
        query: pageParam === null ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ items, has_more }) => (has_more ? (items.at(-1)?.version ?? null) : null),
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons sizes={['h-8 w-full', 'h-8 w-11/12']} />
  return (
    <>
      <ul className="rounded-card border border-line">
        {items.map((one) => (
          <li
            key={one.version}
            className="flex items-center gap-3 border-b border-line px-3.5 py-2 text-13 last:border-b-0"
          >
            <span className="font-medium">{t('versions.name', { version: one.version })}</span>
            {one.version === version && <Badge>{t('versions.current')}</Badge>}
            <span className="min-w-0 flex-1 truncate text-ink-2">
              {one.changed.length > 0
                ? one.changed.map((part) => t(`parts.${part}`, { defaultValue: part })).join(', ')
                : t('versions.first')}
            </span>
            <span className="text-12 whitespace-nowrap text-ink-3">{formatDate(one.created_at)}</span>
            {one.version !== version && <ReturnButton toolId={id} version={one.version} />}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('versions.more')}
        </Button>
      )}
      <p className="text-12 text-ink-3">{t('versions.hint')}</p>
    </>
  )
}

function ReturnButton({ toolId, version }: { toolId: string; version: number }) {
  const { t } = useTranslation('own_tools')
  const { run, isPending } = useAction(() => returnTo(toolId, version))
  return (
    <Button
      size="sm"
      variant="ghost"
      busy={isPending}
      aria-label={t('versions.return_to', { version })}
      icon={<Undo2 aria-hidden className="icon-14" />}
      onClick={() => void run()}
    >
      {t('versions.return')}
    </Button>
  )
}
