import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { type Embed, revokeEmbed } from '#shared/chat/embeds/embeds.ts'
import { formatCost, formatDate, formatMoney } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { RevocableList } from '../../../platform/ui/overlays/revocable-list.tsx'

/** Days before its expiry at which a token shows the remaining time. */
const SOON_DAYS = 14
const DAY_MS = 86_400_000

type EmbedListProps = { assistantId: string; items: Embed[]; onChanged: () => void }

/** The embed tokens with origins, expiry and usage, each with a button to revoke it. */
export function EmbedList({ assistantId, items, onChanged }: EmbedListProps) {
  const { t } = useTranslation('embeds')
  return (
    <RevocableList
      items={items}
      revoke={({ id }) => call(revokeEmbed, { params: { assistantId, embedId: id } })}
      onChanged={onChanged}
      words={{
        title: (name) => t('tokens.revoke_title', { name }),
        text: t('tokens.revoke_text'),
        confirm: t('tokens.revoke'),
        done: (name) => t('tokens.revoked', { name }),
        failed: t('tokens.revoke_failed'),
      }}
    >
      {(one, onRevoke) => <Token key={one.id} one={one} onRevoke={onRevoke} />}
    </RevocableList>
  )
}

function Token({ one, onRevoke }: { one: Embed; onRevoke: () => void }) {
  const { t } = useTranslation('embeds')
  const { name, origins, in_extension, spent, monthly_budget, last_used_at } = one
  const used = last_used_at && formatDate(last_used_at, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="truncate">{name}</span>
          <span className="font-mono text-12 font-regular text-ink-3">
            {t('tokens.hint', { hint: one.hint })}
          </span>
          <End one={one} />
        </div>
        <div className="mt-1 text-12 text-ink-2 wrap-anywhere">
          {[...origins, ...(in_extension ? [t('tokens.extension')] : [])].join(', ')}
        </div>
        <div className="num mt-1 text-12 text-ink-3">
          {t('tokens.visitors', { count: one.visitors })}
          {' · '}
          {monthly_budget === null
            ? t('tokens.spent', { spent: formatCost(spent) })
            : t('tokens.spent_of', { spent: formatCost(spent), budget: formatMoney(monthly_budget) })}
          {' · '}
          {used ? t('tokens.used', { time: used }) : t('tokens.unused')}
          {' · '}
          {t('tokens.made_by', { name: one.made_by })}
        </div>
      </div>
      <Button
        size="sm"
        variant="danger-ghost"
        aria-label={t('tokens.revoke_named', { name })}
        onClick={onRevoke}
      >
        {t('tokens.revoke')}
      </Button>
    </li>
  )
}

/** The expiry of a token, with a warning if it is near or past. */
function End({ one: { expires_at } }: { one: Embed }) {
  const { t } = useTranslation('embeds')
  const days = Math.ceil((Date.parse(expires_at) - Date.now()) / DAY_MS)
  const date = formatDate(expires_at, { dateStyle: 'medium' })
  if (days <= 0)
    return (
      <Badge tone="danger" icon={<CircleX aria-hidden />}>
        {t('tokens.ended', { date })}
      </Badge>
    )
  if (days <= SOON_DAYS)
    return (
      <Badge tone="warning" icon={<Clock aria-hidden />}>
        {t('tokens.ends_soon', { count: days })}
      </Badge>
    )
  return (
    <Badge tone="success" icon={<CircleCheck aria-hidden />}>
      {t('tokens.until', { date })}
    </Badge>
  )
}
