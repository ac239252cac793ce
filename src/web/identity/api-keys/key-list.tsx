import { CircleX, Clock } from 'lucide-react'
import { useState } from 'react'
import { type ApiKey, revokeApiKey } from '#shared/identity/api-keys/api-keys.ts'
import { formatCost, formatDate, formatMoney } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { RevocableList } from '../../platform/ui/overlays/revocable-list.tsx'
import { KeyBudget } from './key-budget.tsx'
import { daysUntil, scopeText } from './key-words.ts'

/** Days before expiry from which a key shows the time it has left. */
const SOON_DAYS = 14

/** API keys with scopes, expiry, last use and cost; each can be revoked. */
export function KeyList({ items, onChanged }: { items: ApiKey[]; onChanged: () => void }) {
  const { t } = useTranslation('programs')
  const [edited, setEdited] = useState<ApiKey | null>(null)
  return (
    <>
      <RevocableList
        items={items}
        revoke={({ id }) => call(revokeApiKey, { params: { keyId: id } })}
        onChanged={onChanged}
        words={{
          title: (name) => t('keys.revoke_title', { name }),
          text: t('keys.revoke_text'),
          confirm: t('keys.revoke'),
          done: (name) => t('keys.revoked', { name }),
          failed: t('keys.revoke_failed'),
        }}
      >
        {(one, onRevoke) => <Key key={one.id} one={one} onEdit={() => setEdited(one)} onRevoke={onRevoke} />}
      </RevocableList>
      {edited && <KeyBudget one={edited} onChanged={onChanged} onClose={() => setEdited(null)} />}
    </>
  )
}

type KeyProps = { one: ApiKey; onEdit: () => void; onRevoke: () => void }

function Key({ one, onEdit, onRevoke }: KeyProps) {
  const { t } = useTranslation('programs')
  const { name, scopes, spent, monthly_budget, last_used_at, last_address } = one
  const used = last_used_at && formatDate(last_used_at, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="truncate">{name}</span>
          <span className="font-mono text-12 font-regular text-ink-3">
            {t('keys.hint', { hint: one.hint })}
          </span>
          <End one={one} />
        </div>
        <div className="mt-1 flex flex-wrap gap-1">
          {scopes.map((scope) => (
            <Badge key={scope}>{scopeText(t, scope)}</Badge>
          ))}
        </div>
        <div className="num mt-1 text-12 text-ink-3">
          {monthly_budget === null
            ? t('keys.spent', { spent: formatCost(spent) })
            : t('keys.spent_of', { spent: formatCost(spent), budget: formatMoney(monthly_budget) })}
          {' · '}
          {used ? t('keys.used', { time: used, address: last_address }) : t('keys.unused')}
        </div>
      </div>
      <Button size="sm" variant="ghost" aria-label={t('keys.budget.change_named', { name })} onClick={onEdit}>
        {t('keys.budget.change')}
      </Button>
      <Button
        size="sm"
        variant="danger-ghost"
        aria-label={t('keys.revoke_named', { name })}
        onClick={onRevoke}
      >
        {t('keys.revoke')}
      </Button>
    </li>
  )
}

/** Expiry of a key, shown as a warning when near or past. */
function End({ one: { expires_at } }: { one: ApiKey }) {
  const { t } = useTranslation('programs')
  if (expires_at === null) return <Badge tone="line">{t('keys.never_ends')}</Badge>
  const days = daysUntil(expires_at, new Date())
  const date = formatDate(expires_at, { dateStyle: 'medium' })
  if (days <= 0)
    return (
      <Badge tone="danger" icon={<CircleX aria-hidden />}>
        {t('keys.ended', { date })}
      </Badge>
    )
  if (days <= SOON_DAYS)
    return (
      <Badge tone="warning" icon={<Clock aria-hidden />}>
        {t('keys.ends_soon', { count: days })}
      </Badge>
    )
  return <Badge tone="line">{t('keys.ends', { date })}</Badge>
}
