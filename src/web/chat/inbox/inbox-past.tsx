import { useTranslation } from '../../platform/i18n/i18n.ts'
import { StateBadge, stateOf } from '../../runs/input-requests/input-requests.tsx'
import { type AskedItem, idOf } from './inbox-groups.ts'
import { InboxIcon } from './inbox-icon.tsx'
import { InboxTime } from './inbox-times.tsx'
import { placeOf, wordsOf } from './inbox-words.ts'
import { TitleLink } from './row-frame.tsx'

/** Requests that no longer wait, newest first. */
export function InboxPast({ items }: { items: AskedItem[] }) {
  const { t } = useTranslation('common')
  return (
    <ul className="grid gap-2 pt-3">
      {items.map((item) => (
        <li
          key={idOf(item)}
          className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-3.5 rounded-card border border-line bg-bg py-3.5 pr-3.5 pl-4"
        >
          <InboxIcon request={item.request} />
          <div className="min-w-0">
            <div className="flex items-center gap-2">
              <span className="flex min-w-0 items-baseline gap-2 text-14">
                <TitleLink item={item} />
                <span className="truncate text-12 text-ink-3 max-md:hidden">{placeOf(item, t)}</span>
              </span>
              <span className="flex-1" />
              <StateBadge state={stateOf(item.request)} />
            </div>
            <p className="mt-px text-13 leading-[19px] wrap-anywhere text-ink-2">{wordsOf(item, t)}</p>
            <p className="mt-1.5">
              <InboxTime item={item} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
