import { AppError } from '#shared/platform/errors.ts'
import { changesData, HttpCall } from '#shared/tools/own-tools/http-call.ts'
import { MAX_TOOLS_PER_FILE, type ToolFile } from '#shared/tools/own-tools/tool-file.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { ApiConnection } from './http/api-kind.ts'
import { checkCall } from './http/check-call.ts'
import { assertRoomFor, checkAuth, newToolId, wordsOf } from './save-tool.ts'
import type { OwnToolDeps } from './secrets-of.ts'
import { insertSet, insertTool, listOwn, lockOwner } from './store.ts'

/** Exports a person's API calls as one file. @throws AppError `not_found` if there are none */
export async function writeFile(
  { db }: Pick<OwnToolDeps, 'db'>,
  user: Caller,
  ids: string[] | undefined,
): Promise<ToolFile> {
  const chosen = await listOwn(db, user.id, ids, MAX_TOOLS_PER_FILE)
  if (chosen.length === 0) throw new AppError('not_found', 'You have no tools to export.')
  const sets = Map.groupBy(chosen, ({ set_id }) => set_id)
  return {
    format: 'atrium-tools',
    version: 1,
    sets: [...sets.values()].map((tools) => ({
      name: tools[0]?.set_name ?? '',
      auth: ApiConnection.parse(tools[0]?.connection).auth,
      tools: tools.map(({ key, name, description, icon, policy, definition }) => ({
        ...{ key, ui_name: name, description, icon, policy, call: HttpCall.parse(definition) },
      })),
    })),
  }
}

/** Creates the tools of a file, all or none. @throws AppError `invalid`, `conflict` */
export async function readFile(
  deps: OwnToolDeps,
  user: Caller,
  { sets }: ToolFile,
  audit: Audit,
): Promise<string[]> {
  const checked = sets.map(({ name, auth, tools }) => {
    checkAuth(auth)
    const keys = new Set(tools.map(({ key }) => key))
    if (keys.size < tools.length)
      throw new AppError('invalid', `“${name}” contains two tools of the same name.`)
    return {
      name,
      auth,
      tools: tools.map((tool) => ({ ...tool, call: checkCall(tool.call), id: newToolId(tool.ui_name) })),
    }
  })
  const all = checked.flatMap(({ tools }) => tools)
  await deps.db.transaction().execute(async (trx) => {
    await lockOwner(trx, user.id)
    await assertRoomFor(trx, deps, user.id, all.length)
    for (const { name, auth, tools } of checked) {
      const set = { user_id: user.id, kind: 'api' as const, name, connection: { auth, is_from_file: true } }
      const set_id = await insertSet(trx, set)
      for (const { id, key, policy: wanted, call, ...words } of tools) {
        // The author of a file cannot make a call that changes data run without asking.
        const policy = wanted === 'auto' && changesData(call.method) ? null : wanted
        await insertTool(trx, { id, set_id, user_id: user.id, key, policy }, wordsOf(words), { ...call })
      }
    }
    for (const { name, tools } of checked)
      await audit(trx, { did: 'tool.created', subject: name, changes: countOf(tools.length) })
  })
  return all.map(({ id }) => id)
}

const countOf = (count: number) => [{ what: 'tools', before: null, after: String(count) }]
