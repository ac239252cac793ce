import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, Download, FileText, X } from 'lucide-react'
import { type Export, listExports, removeExport } from '#shared/chat/exports/exports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { saveExport } from './export-chat.ts'

/** The available exports, newest first. */
export function ExportList() {
  const { t } = useTranslation('exports')
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['exports'],
    queryFn: ({ signal }) => call(listExports, { signal }),
  })
  if (isPending)
    return (
      <Delayed>
        <Skeleton className="h-14 rounded-card" />
      </Delayed>
    )
  if (error)
    return (
      <Callout
        tone="danger"
        title={t('list.load_failed')}
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('list.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (data.items.length === 0) return <p className="text-13 text-ink-3">{t('list.empty')}</p>
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {data.items.map((one) => (
        <ExportRow key={one.id} made={one} />
      ))}
    </ul>
  )
}

function ExportRow({ made }: { made: Export }) {
  const { t } = useTranslation('exports')
  const saving = useMutation({ mutationFn: () => saveExport(made) })
  const removing = useMutation({
    mutationFn: () => call(removeExport, { params: { exportId: made.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['exports'] }),
  })
  const Icon = made.kind === 'account' ? Archive : FileText
  const failure = saving.error ?? removing.error
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
        <Icon aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-13 font-medium">{made.name}</p>
        <p className="text-12 text-ink-3">{failure ? errorText(t, failure) : stateText(made, t)}</p>
        {made.state === 'making' && (
          <progress className="h-1 w-full accent-accent" value={made.progress} aria-label={made.name} />
        )}
      </div>
      {made.state === 'ready' && (
        <Button
          busy={saving.isPending}
          icon={<Download aria-hidden className="icon-14" />}
          aria-label={t('list.download', { name: made.name })}
          onClick={() => saving.mutate()}
        >
          <span className="max-sm:hidden">{t('list.download_short')}</span>
        </Button>
      )}
      <IconButton
        name={t(made.state === 'making' ? 'list.stop' : 'list.remove', { name: made.name })}
        onClick={() => removing.mutate()}
      >
        <X aria-hidden className="icon" />
      </IconButton>
    </li>
  )
}

function stateText(
  { state, stage, error, size, expires_at }: Export,
  t: ReturnType<typeof useTranslation>['t'],
) {
  if (state === 'failed') return error ?? t('chat.failed_here')
  if (state === 'making')
    return stage ? t(`list.${stage.what}`, { done: stage.done, of: stage.of }) : t('list.making')
  return t('list.until', {
    size: sizeText(t, size ?? 0),
    date: formatDate(expires_at, { day: 'numeric', month: 'long' }),
  })
}
