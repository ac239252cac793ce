import type { UserEvent } from '#shared/api/user-events/user-events.ts'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { queryClient, refetchChanged, restartReads } from '../../platform/lib/api/query-client.ts'
import { forgetAnswersOf } from '../../platform/lib/kept/kept-answers.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import {
  forgetSessions,
  knownSession,
  loadMarks,
  noteChange,
  refreshHead,
  refreshSession,
} from '../../runs/sessions/sessions.ts'

let lastShown: Promise<unknown> = Promise.resolve()
let marks: Awaited<ReturnType<typeof loadMarks>> | null = null

/** Loads the code that shows changes, which must be shown in their order. Without it, the next poll shows marks. */
export async function prepareChanges(): Promise<void> {
  marks = await loadMarks().catch(() => null)
}

/** Events that change nothing on the home page. */
const notAtHome = new Set<UserEvent['event']>([
  ...([
    'balance_changed',
    'budget_warning',
    'export_changed',
    'chats_opened',
    'announcements_changed',
  ] as const),
  ...(['grants_changed', 'queue_changed'] as const),
])

/** Applies a user event to the cached data of this tab. */
export function showChange(event: UserEvent): void {
  if (!notAtHome.has(event.event)) refetchChanged(['home'])
  switch (event.event) {
    case 'session_created':
      refreshHead()
      refetchChanged(['trash'])
      refetchChanged(['projects'])
      break
    case 'session_changed':
      showSession(event)
      break
    case 'session_marked':
      marks?.noteMarks([event])
      refetchChanged(['projects'])
      break
    case 'session_deleted':
      forgetSessions(new Set([event.session_id]))
      forgetAnswersOf(event.session_id)
      refetchChanged(['trash'])
      refetchChanged(['projects'])
      refetchChanged(['notifications'])
      break
    case 'request_opened':
    case 'request_answered':
    case 'request_expired':
    case 'request_closed':
    case 'run_unpaid':
    case 'run_paid':
      refetchChanged(['input-requests'])
      if (event.session_id !== null && knownSession(event.session_id)) refreshSession(event.session_id)
      break
    case 'balance_changed':
      refetchChanged(['billing'])
      refetchChanged(['payments'])
      restartReads(meQuery.queryKey)
      queryClient.setQueryData<User>(
        meQuery.queryKey,
        (me) => me && { ...me, balance: me.balance === null ? null : event.balance },
      )
      break
    case 'budget_warning':
      inOrder(async () => (await import('./warn-of-budget.ts')).warnOfBudget(event))
      break
    case 'document_created':
    case 'document_changed':
    case 'document_deleted':
      refetchChanged(['documents'])
      refetchChanged([`document:${event.document_id}`])
      if (event.event !== 'document_changed') refetchChanged(['trash'])
      break
    case 'export_changed':
      refetchChanged(['exports'])
      inOrder(async () => (await import('../../chat/exports/exports.tsx')).noteExport(event))
      break
    case 'chats_opened':
      refetchChanged(['chat-accesses'])
      refetchChanged(meQuery.queryKey)
      break
    case 'announcements_changed':
      refetchChanged(['announcements'])
      refetchChanged(meQuery.queryKey)
      break
    case 'notifications_changed':
      refetchChanged(['notifications'])
      break
    case 'grants_changed':
      for (const key of [...meQuery.queryKey, 'available-models', 'tools', 'assistants'])
        refetchChanged([key])
      break
    case 'queue_changed':
      refetchChanged(['queue', event.session_id])
      break
    case 'workspaces_changed':
      refetchChanged(['workspaces'])
      refetchChanged(['projects'])
      break
    default:
      event satisfies never
  }
}

/** Refetches everything, for use when events may have been missed. */
export function readEverything(): void {
  refreshHead()
  for (const key of [
    'home',
    'session',
    'queue',
    'input-requests',
    'notifications',
    'trash',
    'billing',
    'documents',
    'workspaces',
    'projects',
    'exports',
    ...meQuery.queryKey,
  ])
    refetchChanged([key])
}

/** Updates title and state immediately and refetches the data that depends on the state. */
function showSession(event: Extract<UserEvent, { event: 'session_changed' }>): void {
  const { session_id, title, status, agent_status, is_unread } = event
  const before = knownSession(session_id)
  noteChange(session_id, { title, status, agent_status, is_unread })
  if (before?.status === status && before.agent_status === agent_status) return
  refetchChanged(['queue', session_id])
  if (before) refreshSession(session_id)
  refreshHead()
  refetchChanged(['projects'])
}

/** Runs code that loads first after the earlier ones. A first import may take longer than the next one. */
function inOrder(show: () => Promise<unknown>): void {
  // Without its code, the next read shows the change.
  lastShown = lastShown.then(show).catch(() => undefined)
}
