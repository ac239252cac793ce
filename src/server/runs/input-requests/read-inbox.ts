import {
  type InboxPage,
  type listInputRequests,
  NO_ASSISTANT,
} from '#shared/runs/input-requests/input-requests.ts'
import type { Call, Caller } from '../../platform/http/serve.ts'
import type { RunDeps } from '../run-deps.ts'
import { listRequests } from './inbox-store.ts'

/** Returns a page of the inbox, with the names of the assistants the user may see. */
export async function readInbox(
  deps: Pick<RunDeps, 'db' | 'assistants'>,
  user: Caller,
  query: Call<typeof listInputRequests>['query'],
): Promise<InboxPage> {
  const { items, groups } = await listRequests(deps.db, user, query)
  const { assistant_id } = query
  const counted = groups.filter(({ id }) => !assistant_id || (id ?? NO_ASSISTANT) === assistant_id)
  // The selected assistant keeps its name even when it has no requests.
  const asked = assistant_id && { id: assistant_id === NO_ASSISTANT ? null : assistant_id, count: 0 }
  const all = asked && counted.length === 0 ? [...groups, asked] : groups
  const known = await deps.assistants.findNames(
    user,
    all.flatMap(({ id }) => id ?? []),
  )
  const nameOf = (id: string | null) => known.find((one) => one.id === id)?.name ?? null
  return {
    items: items.map((item) => ({ ...item, assistant_name: nameOf(item.assistant_id) })),
    total: counted.reduce((sum, { count }) => sum + count, 0),
    assistants: all.map((group) => ({ ...group, name: nameOf(group.id) })),
  }
}
