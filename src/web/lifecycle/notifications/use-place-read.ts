import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { useRead } from './use-notifications.ts'

/** Kinds that the server marks as read: when the chat is seen, the question answered, the announcement dismissed. */
const byServer = new Set<Notification['kind']>([
  'question_waiting',
  'reply_finished',
  'reply_failed',
  'reply_unsent',
  'schedule_changed',
  'mentioned',
  'announcement',
])

/** Marks notifications as read whose place is open in this tab. */
export function usePlaceRead(items: readonly Notification[]): void {
  const path = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const { mutate } = useRead()
  const ids = items
    .filter((item) => item.read_at === null && !byServer.has(item.kind) && isAt(item.path, path))
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    if (ids !== '' && document.hasFocus()) mutate({ ids: ids.split(' ') })
  }, [ids, mutate])
}

/** Queries that lead to a place on a page, which shows all of them. */
const anchors = new Set(['message', 'slot'])

/** Returns whether an address shows a place. The address may have further queries. */
export function isAt(place: string, path: string): boolean {
  const [wanted, shown] = [place, path].map((text) => new URL(text, 'http://place'))
  if (!wanted || !shown || wanted.pathname !== shown.pathname) return false
  return [...wanted.searchParams]
    .filter(([name]) => !anchors.has(name))
    .every(([name, value]) => shown.searchParams.get(name) === value)
}
