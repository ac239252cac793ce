import { CircleStop, CloudOff, RotateCcw, ShieldX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { parseUrl } from '#shared/platform/parse-url.ts'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { CardFacts } from '../../../platform/lib/card-status.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Framed } from './framed.tsx'
import type { Stopped } from './use-frame.ts'
import { FIRST_HEIGHT } from './use-frame.ts'
import { useInterface } from './use-interface.ts'

export type RemoteBodyProps = {
  tool: Tool
  block: ToolBlock
  facts: CardFacts
  /** Fallback while the interface cannot be shown: the call itself. */
  children: ReactNode
}

/** A tool's remote interface, or the reason it is not shown together with the plain result. */
export default function RemoteBody({ tool, block, facts, children }: RemoteBodyProps) {
  const { t } = useTranslation('tools')
  const { data, error, isFetching, refetch } = useInterface(tool.id)
  const [stopped, setStopped] = useState<Stopped | null>(null)
  const host = hostOf(tool)
  const again = (label: string, onClick: () => void) => (
    <Button size="sm" icon={<RotateCcw aria-hidden className="icon-14" />} onClick={onClick}>
      {label}
    </Button>
  )
  if (isFetching || (!data && !error)) return <Loading host={host} />
  if (error)
    return (
      <Beside>
        <Callout
          tone="danger"
          icon={CloudOff}
          title={t('remote.failed')}
          action={again(t('common:actions.retry'), () => void refetch())}
        >
          {errorText(t, error)}
        </Callout>
        {children}
      </Beside>
    )
  if (data?.state === 'changed')
    return (
      <Beside>
        <Callout tone="danger" icon={ShieldX} title={t('remote.changed')}>
          {t('remote.changed_text')}
          <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-12">
            <dt className="text-ink-2">{t('remote.approved')}</dt>
            <dd className="m-0 truncate font-mono">{data.approved}</dd>
            <dt className="text-ink-2">{t('remote.received')}</dt>
            <dd className="m-0 truncate font-mono">{data.received}</dd>
          </dl>
        </Callout>
        {children}
      </Beside>
    )
  if (stopped !== null)
    return (
      <Beside>
        <Callout
          tone="warning"
          icon={CircleStop}
          title={t('remote.stopped')}
          action={again(t('remote.start_again'), () => setStopped(null))}
        >
          {t(`remote.${stopped}`)}
        </Callout>
        {children}
      </Beside>
    )
  if (!data) return null
  return <Framed {...{ tool, block, facts, host }} opened={data} onStopped={setStopped} />
}

function Beside({ children }: { children: ReactNode }) {
  return <div className="grid gap-3">{children}</div>
}

function Loading({ host }: { host: string }) {
  const { t } = useTranslation('tools')
  return (
    <div role="status" className="overflow-hidden rounded-row border border-line-2 bg-bg">
      <div style={{ height: FIRST_HEIGHT }} className="grid content-center gap-3 p-4">
        <Skeleton className="h-4 w-56" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="h-4 w-56" />
      </div>
      <p className="flex h-8 items-center gap-1.5 border-t border-line bg-surface px-2.5 text-12 text-ink-2">
        <span className="flex-none">{t('remote.loading')}</span>
        <span className="truncate text-ink-3">{host}</span>
      </p>
    </div>
  )
}

/** Returns the origin named below the interface. */
function hostOf({ ui_location }: Tool): string {
  if (ui_location?.kind === 'app') return parseUrl(ui_location.uri)?.host ?? ''
  if (ui_location?.kind === 'uploaded') return ui_location.file.name
  if (ui_location?.kind !== 'remote') return ''
  return parseUrl(ui_location.url)?.host ?? ''
}
