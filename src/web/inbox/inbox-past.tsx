import { Link } from '@tanstack/react-router'
import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { KindIcon, requestWords, StateBadge } from '../input-requests/input-requests.tsx'
import { idOf } from './inbox-groups.ts'
import { InboxTime } from './inbox-times.tsx'
import { titleOf } from './inbox-words.ts'

/** Requests that wait no more, newest first. */
export function InboxPast({ items }: { items: InputRequest[] }) {
  const { t } = useTranslation('common')
  return (
    <ul className="grid gap-2 pt-3">
      {items.map((item) => (
        <li
          key={idOf(item)}
          className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-3.5 rounded-card border border-line bg-bg py-3.5 pr-3.5 pl-4"
        >
          <span className="inline-grid size-8 place-items-center rounded-row bg-surface-2">
            <KindIcon request={item.request} />
          </span>
          <div className="min-w-0">
            <div className="flex items-center gap-2">
              {item.session_id ? (
                <Link
                  to={`/chat/${item.session_id}`}
                  className="truncate text-14 font-medium hover:underline"
                >
                  {titleOf(item, t)}
                </Link>
              ) : (
                <span className="truncate text-14 font-medium">{titleOf(item, t)}</span>
              )}
              <span className="flex-1" />
              <StateBadge state={item.request.input_type === 'skipped' ? 'skipped' : item.request.state} />
            </div>
            <p className="mt-px text-13 leading-[19px] wrap-anywhere text-ink-2">
              {requestWords(item.request, t)}
            </p>
            <p className="mt-1.5">
              <InboxTime item={item} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
