import { Activity, CircleX, Clock } from 'lucide-react'
import type { ServerHealth as Health } from '#shared/tools/own-tools/mcp-health.ts'
import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate, formatNumber, formatTime } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { msText, ServerFacts } from './server-facts.tsx'
import { ServerMessages } from './server-messages.tsx'
import { isSame, stripOf } from './uptime.ts'
import { useAsking, useHealth } from './use-health.ts'

/** Facts about a server and, for its owner, uptime and recent messages. */
export function ServerAside({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  return (
    <aside
      aria-label={t(server.own ? 'health.title' : 'servers.server')}
      className="w-[400px] flex-none border-line bg-surface max-xl:w-full max-xl:border-t xl:overflow-y-auto xl:border-l"
    >
      {server.own && (
        <PanelHeader
          title={t('health.title')}
          icon={<Activity aria-hidden className="icon-14" />}
          actions={<span className="pr-2 text-12 text-ink-3">{t('health.asked')}</span>}
          onClose={null}
        />
      )}
      <div className="grid gap-5 p-5 max-md:px-4">
        {server.own ? <OwnHealth server={server} /> : <ServerFacts server={server} />}
      </div>
    </aside>
  )
}

function OwnHealth({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { data: health, error } = useHealth(server.id)
  const isNew = health !== undefined && health.answered_at === null && health.failed_at === null
  useAsking(server.id, { isAsked: server.is_known, isNew })
  return (
    <>
      {health && <Figures health={health} />}
      {!health && error === null && <Skeletons className="grid" sizes={['h-40 w-full rounded-card']} />}
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      <ServerFacts server={server} />
      {health && <ServerMessages messages={health.messages} />}
    </>
  )
}

function Figures({ health }: { health: Health }) {
  const { t } = useTranslation('tools')
  const { median_ms, answered, answering_since, answered_at, failed_at, failure } = health
  const share = { style: 'percent', maximumFractionDigits: 1 } as const
  const facts = [
    ...(answering_since ? [t('health.since', { when: whenText(answering_since) })] : []),
    ...(answered_at ? [t('health.answered', { when: whenText(answered_at) })] : []),
  ]
  return (
    <section aria-label={t('health.figures')} className="rounded-card border border-line bg-bg">
      <dl className="grid grid-cols-2 divide-x divide-line border-b border-line">
        <Figure name={t('health.median')}>{median_ms === null ? '–' : msText(median_ms)}</Figure>
        <Figure name={t('health.share')}>{answered === null ? '–' : formatNumber(answered, share)}</Figure>
      </dl>
      <div className="grid gap-2 px-4 py-3">
        <Strip halfHours={health.half_hours} />
        {facts.length === 0 && failed_at === null && (
          <p className="text-12 text-ink-2">{t('health.nothing_yet')}</p>
        )}
        {facts.map((fact) => (
          <p key={fact} className="text-12 text-ink-2">
            {fact}
          </p>
        ))}
        {failed_at !== null && (
          <p className="text-12">
            <span className="text-danger">{t('health.failed', { when: whenText(failed_at) })}</span>{' '}
            <span className="wrap-anywhere text-ink-2">{failure}</span>
          </p>
        )}
      </div>
    </section>
  )
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex flex-col-reverse px-4 py-3">
      <dt className="text-12 text-ink-2">{name}</dt>
      <dd className="num m-0 text-18 font-semibold">{children}</dd>
    </div>
  )
}

const looks = { none: 'bg-surface-3', answered: 'bg-success', slow: 'bg-warning', failed: 'bg-danger' }

/** Chart of the last day in half hours, with a text that names the bad ones. */
function Strip({ halfHours }: { halfHours: Health['half_hours'] }) {
  const { t } = useTranslation('tools')
  const strip = stripOf(halfHours, new Date())
  const bad = strip.filter(({ state }) => state === 'failed' || state === 'slow')
  const said = bad.map(({ at, state }) => t(`health.${state}_at`, { time: formatTime(at) }))
  return (
    <>
      <div role="img" aria-label={[t('health.day'), ...said].join(' ')} className="flex h-5 gap-0.5">
        {strip.map(({ at, state }) => (
          <span key={at.getTime()} className={`flex-1 rounded-[1.5px] ${looks[state]}`} />
        ))}
      </div>
      <p aria-hidden className="flex justify-between text-12 text-ink-3">
        <span>{t('health.day_ago')}</span>
        <span>{t('health.now')}</span>
      </p>
      {bad.length > 0 && (
        <p aria-hidden className="flex flex-wrap gap-x-3.5 gap-y-1 text-12">
          {bad.slice(-4).map(({ at, state }) => (
            <span
              key={at.getTime()}
              className={`flex items-center gap-1 ${state === 'failed' ? 'text-danger' : 'text-warning'}`}
            >
              {state === 'failed' ? <CircleX className="icon-12" /> : <Clock className="icon-12" />}
              {t(`health.${state}_at`, { time: formatTime(at) })}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

/** Formats the time, preceded by the date unless it is today. */
function whenText(at: string): string {
  if (isSame(new Date(at), new Date())) return formatTime(at)
  return formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
}
