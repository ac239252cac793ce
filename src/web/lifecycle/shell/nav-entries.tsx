import { Link, useLocation } from '@tanstack/react-router'
import clsx from 'clsx'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { entriesFor, entryPath } from './nav.ts'
import { viewOf } from './view-names.ts'

/** The views of the product as links; icons in the rail. */
export function NavEntries({ me, isRail = false }: { me: User; isRail?: boolean }) {
  const { t } = useTranslation('common')
  const { pathname } = useLocation()
  const current = useCurrentSession((state) => state.id)
  const view = viewOf(pathname)
  return (
    <ul data-tour="views" className={isRail ? 'grid gap-1' : 'grid gap-px px-3 pb-2'}>
      {entriesFor(me).map((entry) => {
        const isOn = entry.view === view
        const Icon = entry.icon
        const name = t(`nav.${entry.view}`)
        return (
          <li key={entry.view}>
            <Link
              to={entryPath(entry, current)}
              aria-current={isOn ? 'page' : undefined}
              aria-label={isRail ? name : undefined}
              data-tip={isRail ? name : undefined}
              className={clsx(
                'relative flex items-center rounded-control font-medium hover-motion hover:bg-surface-2',
                isRail ? 'size-9 justify-center' : 'h-8 gap-2.5 px-3 text-13 max-md:h-11',
                isOn
                  ? 'bg-surface-2 text-ink before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-pill before:bg-accent'
                  : 'text-ink-2',
                isOn && isRail && 'before:-left-2.5',
              )}
            >
              <Icon aria-hidden className={clsx('icon', isOn && 'text-accent')} />
              {!isRail && name}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
