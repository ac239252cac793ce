import { type Kysely, sql } from 'kysely'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { readCheckpointId } from '#shared/chat/checkpoints/checkpoint-id.ts'
import type { May, Right, Route, Thing } from '#shared/platform/http.ts'
import type { Tables } from '../db/tables.ts'
import { admit, type Judged, judge, unknown } from './find.ts'
import type { Principal } from './principal.ts'
import { isPresent, type RowThing, splitWish, tables } from './rules.ts'

type Db = Kysely<Tables>
type Params = Record<string, string>
type Guard = (db: Db, principal: Principal, right: Right, params: Params) => Promise<void>

/** Path parameters of each thing, and the guard that checks access to it. */
const guards: Record<Thing, { names: string[]; guard: Guard }> = {
  session: guardRow('session', 'sessionId'),
  reply: guardRow('reply', 'sessionId'),
  message: { names: ['sessionId', 'messageId'], guard: guardMessage },
  checkpoint: { names: ['checkpointId'], guard: guardCheckpoint },
  execution: guardRow('execution', 'executionId'),
  file: guardRow('file', 'fileId'),
  media: guardRow('media', 'mediaId'),
  document: guardRow('document', 'documentId'),
  connector: guardRow('connector', 'connectorId'),
  upload: guardRow('upload', 'uploadId'),
  export: guardRow('export', 'exportId'),
  import: guardRow('import', 'importId'),
  link: guardRow('link', 'linkId'),
  workspace: guardRow('workspace', 'workspaceId'),
  project: guardRow('project', 'projectId'),
  'unmanaged-project': guardRow('unmanaged-project', 'unmanagedProjectId'),
  'sign-in': guardRow('sign-in', 'signInId'),
  passkey: guardRow('passkey', 'passkeyId'),
  assistant: {
    names: ['assistantId'],
    guard: (db, principal, right, { assistantId = '' }) =>
      assertMayAssistant(db, principal, `${right} assistant`, assistantId),
  },
  prompt: guardRow('prompt', 'promptId'),
  fact: guardRow('fact', 'factId'),
  user: guardRow('user', 'userId'),
  company: guardRow('company', 'companyId'),
  group: guardRow('group', 'groupId'),
  invitation: guardRow('invitation', 'invitationId'),
  tool: { names: ['toolId'], guard: guardTool },
  'tool-set': guardRow('tool-set', 'toolSetId'),
  key: guardRow('key', 'keyId'),
  webhook: guardRow('webhook', 'webhookId'),
  announcement: guardRow('announcement', 'announcementId'),
  'member-key': guardRow('member-key', 'memberKeyId'),
  'member-webhook': guardRow('member-webhook', 'memberWebhookId'),
  schedule: guardRow('schedule', 'scheduleId'),
  'offered-schedule': guardRow('offered-schedule', 'offeredScheduleId'),
  'member-schedule': guardRow('member-schedule', 'memberScheduleId'),
  'deputy-question': guardRow('deputy-question', 'deputySlotId'),
  approval: guardRow('approval', 'approvalId'),
  // Connections may come from the environment and have no row. The access level of the route decides.
  connection: { names: ['connectionId'], guard: async () => {} },
  // Databases and channels belong to the installation. The access level of the route decides.
  database: { names: ['databaseId'], guard: async () => {} },
  channel: { names: ['channelId'], guard: async () => {} },
}

/** Refuses a caller without the right a route requires to the things in its path. */
export type Admit = (principal: Principal, wish: May, params: unknown) => Promise<void>

export function createAdmit(db: Db): Admit {
  return (principal, wish, params) => {
    const [right, thing] = splitWish(wish)
    return guards[thing].guard(db, principal, right, params as Params)
  }
}

const namesOfThings = new Set(Object.values(guards).flatMap(({ names }) => names))

/** Throws if a route's path names a thing that no guard checks. */
export function assertDecided({ method, path, may }: Pick<Route, 'method' | 'path' | 'may'>): void {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const isDecided = may
    ? guards[splitWish(may)[1]].names.every((name) => named.includes(name))
    : named.length === 0 || (may === null && !named.some((name) => namesOfThings.has(name)))
  if (isDecided) return
  throw new Error(`${method} ${path} does not say what its caller must be allowed to do.`)
}

/** Assistants of the product cannot be changed by anyone. @throws AppError as `findAllowed` does */
export async function assertMayAssistant(
  db: Db,
  principal: Principal,
  wish: `${Right} assistant`,
  id: string,
): Promise<void> {
  if (!builtInIds.includes(id))
    return guardRow('assistant', 'id').guard(db, principal, splitWish(wish)[0], { id })
  const is_readable = principal.kind !== 'anonymous'
  admit({ is_readable, is_allowed: is_readable && splitWish(wish)[0] === 'read' }, wish)
}

function guardRow(thing: RowThing, name: string): { names: string[]; guard: Guard } {
  const guard: Guard = async (db, principal, right, { [name]: id }) => {
    const wish = `${right} ${thing}` as const
    const { rows } = await sql<Judged>`
      select ${judge(principal, wish, 't')} from ${sql.table(tables[thing])} t
      where t.id = ${id} and ${isPresent(thing, 't')}`.execute(db)
    admit(rows[0], wish)
  }
  return { names: [name], guard }
}

/** Built-in tools have no row and everyone may use them. Their routes answer 404 for unknown ids. */
async function guardTool(db: Db, principal: Principal, right: Right, { toolId = '' }: Params) {
  const wish = `${right} tool` as const
  const { rows } = await sql<Judged>`
    select ${judge(principal, wish, 't')} from own_tools t where t.id = ${toolId}`.execute(db)
  if (rows[0]) admit(rows[0], wish)
}

/** Access to a message follows access to its session. */
async function guardMessage(db: Db, principal: Principal, right: Right, { sessionId, messageId }: Params) {
  const { rows } = await sql<Judged<{ is_there: boolean }>>`
    select ${judge(principal, `${right} session`, 's')},
      exists (select from messages where id = ${messageId} and session_id = s.id) as is_there
    from sessions s where s.id = ${sessionId} and ${isPresent('session', 's')}`.execute(db)
  const { is_there } = admit(rows[0], `${right} session`)
  if (!is_there) throw unknown('message')
}

/** Access to a checkpoint follows access to the run that wrote it. */
async function guardCheckpoint(db: Db, principal: Principal, right: Right, { checkpointId = '' }: Params) {
  const { runId, key } = readCheckpointId(checkpointId) ?? {}
  if (!runId) throw unknown('checkpoint')
  const { rows } = await sql<Judged>`
    select ${judge(principal, `${right} run`, 'run')}
    from runs run join run_records record on record.run_id = run.id
    where run.id = ${runId} and run.message_id is not null and ${isPresent('run', 'run')}
      and record.kind = 'checkpoint' and record.key = ${key}`.execute(db)
  admit(rows[0], `${right} checkpoint`)
}
