import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { type Attention, type AttentionKind, NAMES_SHOWN } from '#shared/lifecycle/overview/overview.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'

type AttentionListProps = { items: readonly Attention[]; isSuper: boolean }

/** Conditions that need the administrator, most urgent first, each with what to do. */
export function AttentionList({ items, isSuper }: AttentionListProps) {
  const { t } = useTranslation('overview')
  return (
    <section aria-label={t('attention_title')}>
      <div className="overview-head">
        <h3>{t('attention_title')}</h3>
        {items.length > 0 && <span className="num">{formatNumber(items.length)}</span>}
      </div>
      {items.length === 0 ? (
        <Callout tone="success" icon={CircleCheck}>
          {t('nothing')}
        </Callout>
      ) : (
        <ul className="admin-card divide-y divide-line">
          {items.map((item) => (
            <AttentionRow key={item.kind} item={item} isSuper={isSuper} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Conditions that already stop something. */
const stopped: readonly AttentionKind[] = ['budgets_spent', 'webhooks_off', 'retention_failed']

function AttentionRow({ item: { kind, count, names }, isSuper }: { item: Attention; isSuper: boolean }) {
  const { t } = useTranslation('overview')
  const isStopped = stopped.includes(kind)
  const Icon = isStopped ? CircleX : CircleAlert
  const more = names.length === NAMES_SHOWN ? count - names.length : 0
  return (
    <li className="overview-row">
      <Icon aria-hidden className={`icon mt-0.5 ${isStopped ? 'text-danger' : 'text-warning'}`} />
      <div className="grid min-w-0 flex-1 gap-0.5 text-13">
        <span className="font-medium">{t(`attention.${kind}`, { count, shown: formatNumber(count) })}</span>
        {names.length > 0 && (
          <span className="break-words text-ink-2">
            {names.join(', ')}
            {more > 0 && ` ${t('more', { count: more, shown: formatNumber(more) })}`}
          </span>
        )}
        <span className="text-ink-2">{t(`todo.${kind}`)}</span>
      </div>
      <PlaceToAct kind={kind} isSuper={isSuper} />
    </li>
  )
}

/** Pages of the admin area that change the condition. */
const pages: Partial<Record<AttentionKind, string>> = {
  webhooks_off: 'connections',
  webhooks_failing: 'connections',
  keys_ending: 'connections',
  directories_refused: 'sign_on',
  retention_failed: 'retention',
  companies_without_admin: 'companies',
  admins_without_second_step: 'users',
}

function PlaceToAct({ kind, isSuper }: { kind: AttentionKind; isSuper: boolean }) {
  const { t } = useTranslation('overview')
  const look = `${buttonLook({ size: 'sm' })} max-md:mt-1`
  const label = t('open')
  const name = `${label}: ${t(`attention.${kind}`, { count: 2, shown: '' }).trim()}`
  if (kind === 'mail_untested')
    return (
      <Link to="/setup" aria-label={name} className={look}>
        {label}
      </Link>
    )
  const page = isSuper && kind.startsWith('budgets_') ? 'budgets' : pages[kind]
  if (!page) return null
  const tab = kind.startsWith('webhooks_') ? { kind: 'webhook' } : {}
  return (
    <Link to="/admin" search={{ page, ...tab } as never} aria-label={name} className={look}>
      {label}
    </Link>
  )
}
