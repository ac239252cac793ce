import { useId } from 'react'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { NotificationRow } from './notification-row.tsx'
import { type GroupName, groupNames, groupOf } from './notification-words.ts'

type ListProps = { items: readonly Notification[]; onOpen: (item: Notification) => void }

/** Notifications in groups, the newest first in each. */
export function NotificationList({ items, onOpen }: ListProps) {
  const groups = Map.groupBy(items, groupOf)
  return groupNames.map((name) => {
    const own = groups.get(name)
    return own && <Group key={name} name={name} items={own} onOpen={onOpen} />
  })
}

function Group({ name, items, onOpen }: ListProps & { name: GroupName }) {
  const { t } = useTranslation('notifications')
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="px-4 pt-3 pb-1 text-12 font-medium text-ink-3">
        {t(`group.${name}`)}
      </h2>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <NotificationRow item={item} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}
