import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setSheetOpen, setSidebarOpen } from '../../platform/lib/layout.ts'
import { PHONE } from '../../platform/lib/page-state.ts'

type SectionProps = {
  title: string
  total: number
  /** Shown after the title. */
  hint?: string
  /** Shown instead of the list when there is nothing. */
  empty: string
  /** Leads to the whole list. */
  more: ReactNode
  children: ReactNode
}

/** One part of the home page: its title, its first items, and a way to all of them. */
export function HomeSection({ title, total, hint, empty, more, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="flex min-h-8 items-center gap-2 pb-1.5">
        <h2 id={id} className="text-14 font-semibold">
          {title}
        </h2>
        {total > 0 && <span className="num text-13 text-ink-3">{formatNumber(total)}</span>}
        {hint && total > 0 && (
          <span className="min-w-0 truncate text-12 text-ink-3 max-md:hidden">{hint}</span>
        )}
        <span className="flex-1" />
        {total > 0 && more}
      </div>
      {total === 0 ? (
        <p className="text-13 text-ink-3">{empty}</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line">{children}</ul>
      )}
    </section>
  )
}

const look =
  '-mr-2 inline-flex h-7 flex-none items-center gap-0.5 rounded-control px-2 text-13 text-ink-2 hover-motion hover:bg-surface-2 hover:text-ink max-md:h-11'

type MoreProps = {
  /** Title of the part. */
  of: string
}

/** A link to the page with the whole list. */
export function ShowAll({ to, of }: MoreProps & { to: '/inbox' | '/notifications' | '/schedules' }) {
  const { t } = useTranslation('home')
  return (
    <Link to={to} aria-label={t('all_of', { name: of })} className={look}>
      {t('all')}
      <ChevronRight aria-hidden className="icon-14" />
    </Link>
  )
}

/** Opens the history, which marks the unread chats. */
export function ShowHistory({ of }: MoreProps) {
  const { t } = useTranslation('home')
  const open = () => (matchMedia(PHONE).matches ? setSheetOpen(true) : setSidebarOpen(true))
  return (
    <button type="button" aria-label={t('all_of', { name: of })} className={look} onClick={open}>
      {t('all')}
      <ChevronRight aria-hidden className="icon-14" />
    </button>
  )
}
