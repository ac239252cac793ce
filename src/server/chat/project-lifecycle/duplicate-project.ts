import type * as contract from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Call, Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findUsable, lockProject } from '../projects/projects.ts'
import { lockCommands } from '../prompts/prompts.ts'
import { requestChatCopies } from './copy-chats.ts'
import { copyPrompts } from './copy-prompts.ts'
import { copyDocuments, copyFacts, copyInstructions, findOwner, insertCopy } from './project-copy-store.ts'
import { lockProjectPrompts } from './prompt-copy-store.ts'

type Wish = Call<typeof contract.duplicateProject>['body']

/**
 * Copies a project for the caller, who owns the copy. Each part is copied as far as the caller may read it. Chats follow in a
 * job. A repeated id copies once. @throws AppError `not_found`, `conflict` for an id that someone else uses and too many prompts
 */
export async function duplicateProject(
  deps: Deps,
  user: Caller,
  sourceId: string,
  wish: Wish,
  audit: Audit,
): Promise<void> {
  const { db, jobs } = deps
  const name = cleanCharacters(wish.name)
  await jobs.prepare()
  await db.transaction().execute(async (trx) => {
    // Saving a prompt locks its owner before the prompt.
    await lockCommands(trx, user.id)
    const prompts = await lockProjectPrompts(trx, user, sourceId)
    const source = await lockProject(trx, sourceId)
    if (!source) throw new AppError('not_found', 'Project not found')
    const { assistant_id, model_name, description, colour, icon, class_id } = source
    const usable = assistant_id && (await findUsable(deps, user, assistant_id)) ? assistant_id : null
    const model = model_name ? await findModelFor(deps, user.id, model_name).catch(() => null) : null
    const copy = { id: wish.id, user_id: user.id, name, description, colour, icon, class_id }
    const isNew = await insertCopy(trx, { ...copy, assistant_id: usable, model_name: model?.id ?? null })
    if (!isNew) {
      if ((await findOwner(trx, wish.id)) === user.id) return
      throw new AppError('conflict', 'This id is used by another project.')
    }
    const places = { from: sourceId, to: wish.id }
    await copyInstructions(trx, user, places)
    await copyPrompts(trx, user, prompts, { id: wish.id, name }, audit)
    if (wish.documents) await copyDocuments(trx, user, places)
    if (wish.memory) await copyFacts(trx, user, places)
    if (wish.chats) await requestChatCopies(deps, trx, user.id, places)
    await audit(trx, { did: 'project.copied', subject: name, subjectId: wish.id })
  })
}
