import type { Assistant, AssistantChanges } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { chooseShares } from './choose-shares.ts'
import { type AssistantRow, findNames, findRow, writeAssistant } from './store.ts'
import { toAssistant } from './to-assistant.ts'
import type { Deps } from './transfer.ts'

/**
 * Stores a change and its version. The owner never changes. @throws AppError `conflict` when another save came first,
 * `forbidden` for things the owner may not use, `not_available` for an unknown model
 */
export async function saveAssistant(
  deps: Deps,
  user: Caller,
  id: string,
  changes: AssistantChanges,
  audit: Audit,
): Promise<Assistant> {
  const { db, clock, config } = deps
  if (changes.model_name) await findModelFor(deps, user.id, changes.model_name)
  const before = await findRow(db, user, 'write', id)
  const own = before.user_id === user.id
  const shares = chooseShares(user, changes, { ...before, own })
  if (!own) await assertOwnersToo(deps, user, before, changes)
  const save = { audit, savedBy: user.id, returnedFrom: null, keep: config.ATRIUM_LIMIT_ASSISTANT_VERSIONS }
  const row = await writeAssistant(db, user, id, changes, shares, clock.now(), save)
  return toAssistant(row, user)
}

/** Checks that both the owner and the editor may use an addition, so that shares never widen access. */
async function assertOwnersToo(
  deps: Deps,
  user: Caller,
  before: AssistantRow,
  { documents = [], workspaces = [], tools }: AssistantChanges,
): Promise<void> {
  const owner: Person = { kind: 'user', ...(await readUser(deps, before.user_id)) }
  const added = (ids: readonly string[], had: readonly string[]) => ids.filter((id) => !had.includes(id))
  const wanted = {
    document: added(documents, before.documents),
    workspace: added(workspaces, before.workspaces),
  }
  for (const thing of ['document', 'workspace'] as const) {
    const ids = [...new Set(wanted[thing])]
    for (const person of [owner, user])
      if ((await findNames(deps.db, person, thing, ids)).size < ids.length) throw notTheirs(`${thing}s`)
  }
  const newTools = added(tools ?? [], (before.tools as string[] | null) ?? [])
  if (newTools.length === 0) return
  for (const { id } of [owner, user]) {
    const usable = new Set((await deps.tools.load(id)).map(({ contract }) => contract.id))
    if (newTools.some((tool) => !usable.has(tool))) throw notTheirs('tools')
  }
}

function notTheirs(things: string): AppError {
  return new AppError(
    'forbidden',
    `Some of the ${things} you added are not the owner’s to use, or not yours. Share them with both of you first, or leave them out.`,
  )
}
