import { Link } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { titleOf } from '../../runs/sessions/sessions.ts'

type FactRowProps = { fact: Fact; onEdit: () => void; onDelete: () => void }

/** A fact with its source and its last use. */
export function FactRow({ fact, onEdit, onDelete }: FactRowProps) {
  const { t } = useTranslation('memory')
  const { text, can_change, used_at, uses } = fact
  return (
    <li className="flex items-center gap-4 py-2.5 pr-2 pl-4 hover-motion hover:bg-surface max-md:items-start max-md:gap-2 max-md:pl-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="text-14 font-medium wrap-anywhere" dir="auto">
          {text}
        </p>
        <SourceLine fact={fact} />
      </div>
      <p className="num flex-none text-right text-12 text-ink-3 max-md:hidden">
        {used_at ? formatDate(used_at) : t('never_used')}
        {uses > 0 && <span className="block">{t('uses', { count: uses })}</span>}
      </p>
      <span className="flex w-16 flex-none justify-end max-md:w-22">
        {can_change && (
          <>
            <IconButton name={t('edit', { fact: text })} size="sm" onClick={onEdit}>
              <Pencil aria-hidden className="icon-14" />
            </IconButton>
            <IconButton name={t('delete', { fact: text })} size="sm" onClick={onDelete}>
              <Trash2 aria-hidden className="icon-14" />
            </IconButton>
          </>
        )}
      </span>
    </li>
  )
}

/** The source of a fact: who told it and when. */
export function SourceLine({ fact: { source, origin, told_by, learned_at } }: { fact: Fact }) {
  const { t } = useTranslation('memory')
  const date = formatDate(learned_at)
  return (
    <p className="flex min-w-0 flex-wrap gap-x-2 text-12 text-ink-3">
      {source ? (
        <Link
          to="/chat/$sessionId"
          params={{ sessionId: source.session_id }}
          search={{ message: source.message_id } as never}
          className="max-w-60 truncate text-ink-2 hover:underline"
        >
          {titleOf({ id: source.session_id, title: source.title }, t)}
        </Link>
      ) : (
        <span>{t(origin === 'manual' ? 'by_hand' : 'source_gone')}</span>
      )}
      <span className="num">{told_by ? t('told_by', { name: told_by, date }) : t('learned', { date })}</span>
    </p>
  )
}
