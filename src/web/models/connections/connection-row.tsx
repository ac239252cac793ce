import clsx from 'clsx'
import { ChevronRight, Cloud, Gauge, Lock, Package, Server } from 'lucide-react'
import { useId } from 'react'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { troubleText } from '../../platform/i18n/trouble-text.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { ConnectionMenu } from './connection-menu.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { LearnedAdaptations } from './learned-adaptations.tsx'
import { ModelTable } from './model-table.tsx'
import type { ConnectionTests } from './use-connections.ts'
import { useProviderForm } from './use-provider-forms.ts'

type ConnectionRowProps = {
  connection: ModelConnection
  isOpen: boolean
  tests: ConnectionTests
  onToggle: () => void
  onEdit: () => void
}

/** One connection with its kind, key and status. Expands to list its models. */
export function ConnectionRow({ connection, isOpen, tests, onToggle, onEdit }: ConnectionRowProps) {
  const { t } = useTranslation('admin')
  const panelId = useId()
  const test = tests.stateOf(connection.id)
  const isOwn = connection.source === 'database'
  return (
    <li className="border-t border-line first:max-lg:border-0">
      <div
        className={clsx(
          'relative grid min-h-14 items-center gap-x-3.5 gap-y-1 py-2 pr-2.5 pl-3.5 text-13 hover-motion hover:bg-surface',
          'grid-cols-[20px_32px_minmax(0,1fr)_auto] lg:grid-cols-[20px_32px_minmax(0,1fr)_104px_64px_140px_108px_32px]',
          isOpen && 'bg-surface',
        )}
      >
        <ChevronRight
          aria-hidden
          className={clsx(
            'icon-14 text-ink-3 transition-transform duration-(--d-pop)',
            isOpen && 'rotate-90',
          )}
        />
        <span className="inline-grid size-8 place-items-center rounded-row bg-surface-2 text-ink-2">
          <KindIcon connection={connection} />
        </span>
        <span className="min-w-0 leading-[17px]">
          <span className="flex items-center gap-2 font-medium">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={panelId}
              aria-label={t('models.open', { name: connection.name })}
              className="truncate text-left font-medium after:absolute after:inset-0 after:content-['']"
              onClick={onToggle}
            >
              {connection.name}
            </button>
            {!isOwn && (
              <Badge tone="line" icon={<Lock aria-hidden />}>
                <span data-tip={t('administration.fixed_by', { names: connection.fixed_by.join(', ') })}>
                  {t('models.environment')}
                </span>
              </Badge>
            )}
          </span>
          {connection.base_url && (
            <span className="block truncate text-12 text-ink-3">{connection.base_url}</span>
          )}
        </span>
        <Facts connection={connection} tests={tests} />
        <span className="relative z-1 max-lg:col-start-4 max-lg:row-start-1">
          {isOwn ? (
            <ConnectionMenu connection={connection} onEdit={onEdit} />
          ) : (
            connection.provider !== 'atrium' && (
              <IconButton
                name={t('models.limits.title', { name: connection.name })}
                size="sm"
                onClick={onEdit}
              >
                <Gauge aria-hidden className="icon" />
              </IconButton>
            )
          )}
        </span>
      </div>
      <Trouble
        connection={connection}
        detail={test && test !== 'running' && !test.ok ? test.detail : null}
        onEdit={onEdit}
      />
      <div id={panelId}>
        {isOpen && <ModelTable connection={connection} />}
        {isOpen && connection.provider !== 'atrium' && <LearnedAdaptations connectionId={connection.id} />}
      </div>
    </li>
  )
}

/** Key, model count, state and last test: columns on wide screens, one line below the name on narrow ones. */
function Facts({ connection, tests }: { connection: ModelConnection; tests: ConnectionTests }) {
  const { t } = useTranslation('admin')
  const test = tests.stateOf(connection.id)
  const count = connection.models.length
  return (
    <span className="max-lg:col-span-2 max-lg:col-start-3 max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 lg:contents">
      <span className="font-mono text-12 text-ink-2">
        <KeyHint connection={connection} />
      </span>
      <span className="num text-right max-lg:text-12 max-lg:text-ink-2 lg:pr-2">
        <span aria-hidden className="max-lg:hidden">
          {count}
        </span>
        <span className="lg:sr-only">{t('models.models', { count })}</span>
      </span>
      <span>
        <ConnectionStatus connection={connection} test={test} />
      </span>
      <span className="num relative z-1 text-12 text-ink-2">
        {test && test !== 'running' && test.latency_ms !== null && (
          <span className="mr-2">{t('models.latency', { ms: Math.round(test.latency_ms) })}</span>
        )}
        <Button
          variant="link"
          size="sm"
          disabled={test === 'running'}
          aria-label={t('models.test_named', { name: connection.name })}
          onClick={() => void tests.test(connection)}
        >
          {t('models.test')}
        </Button>
      </span>
    </span>
  )
}

/** A provider on the internet, or a server that has a name of its own. */
function KindIcon({ connection: { kind, provider } }: { connection: ModelConnection }) {
  const form = useProviderForm(kind)
  if (provider === 'atrium') return <Package aria-hidden className="icon" />
  return form?.name === '' ? <Server aria-hidden className="icon" /> : <Cloud aria-hidden className="icon" />
}

function KeyHint({ connection: { keys } }: { connection: ModelConnection }) {
  const { t } = useTranslation('admin')
  const [first] = keys
  if (!first) return t('models.no_key')
  const more = keys.length > 1 && ` +${keys.length - 1}`
  if (!first.hint)
    return (
      <>
        {t('models.has_key')}
        {more}
      </>
    )
  return (
    <>
      <span aria-hidden>•••• {first.hint}</span>
      <span className="sr-only">{t('models.key_ends', { hint: first.hint })}</span>
      {more}
    </>
  )
}

/** The server's error message, if any, with a way to fix the connection. */
function Trouble({
  connection,
  detail,
  onEdit,
}: {
  connection: ModelConnection
  detail: string | null
  onEdit: () => void
}) {
  const { t } = useTranslation('admin')
  const sentence =
    detail ?? (connection.enabled && connection.status === 'error' ? connection.status_detail : null)
  if (!sentence) return null
  return (
    <div className="px-3.5 pb-3">
      <Callout
        tone="danger"
        className="items-center"
        title={`${connection.name}:`}
        action={
          connection.source === 'database' && (
            <Button size="sm" onClick={onEdit}>
              {t(connection.has_key ? 'models.replace_key' : 'models.edit')}
            </Button>
          )
        }
      >
        {troubleText(t, sentence) ?? sentence}
      </Callout>
    </div>
  )
}
