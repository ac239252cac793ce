import { type Kysely, type Selectable, sql } from 'kysely'
import { MAX_PROMPTS } from '#shared/chat/prompts/prompts.ts'
import { MAX_SHARES } from '#shared/identity/sharing/sharing.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Access = 'use' | 'edit'

/** A prompt of a project. `may_share` is false for one that the person cannot share with another project. */
export type ProjectPrompt = Selectable<Tables['prompts']> & { access: Access; may_share: boolean }

/**
 * Returns the prompts of a project that a person may use, in the order of their shares, and locks them. Sharing locks a prompt
 * before its project, so call it before `lockProject`.
 */
export async function lockProjectPrompts(
  trx: Db,
  person: Person,
  projectId: string,
): Promise<ProjectPrompt[]> {
  const { rows } = await sql<ProjectPrompt>`
    select p.*, share.access, (${may(person, 'manage prompt', 'p')}
      and (select count(*) from prompt_shares s where s.prompt_id = p.id) < ${MAX_SHARES}) as may_share
    from prompt_shares share join prompts p on p.id = share.prompt_id
    where share.workspace_id = ${projectId} and ${may(person, 'read prompt', 'p')}
    order by share.created_at, share.id limit ${MAX_PROMPTS} for key share of p`.execute(trx)
  return rows
}

type Share = { promptId: string; projectId: string; access: Access; sharedBy: string }

export async function insertPromptShare(
  trx: Db,
  { promptId, projectId, access, sharedBy }: Share,
): Promise<void> {
  const row = { prompt_id: promptId, workspace_id: projectId, access, shared_by: sharedBy }
  await trx
    .insertInto('prompt_shares')
    .values({ ...row, everybody: false })
    .execute()
}
