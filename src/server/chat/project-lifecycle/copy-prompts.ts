import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { contentOf, insertPrompts } from '../prompts/prompts.ts'
import { insertPromptShare, type ProjectPrompt } from './prompt-copy-store.ts'

type Copy = { id: string; name: string }

/**
 * Shares the caller's prompts with a copy of their project, and makes prompts of the caller from those of others.
 * @throws AppError `conflict` when the caller would have too many prompts
 */
export async function copyPrompts(
  trx: Deps['db'],
  user: Caller,
  prompts: readonly ProjectPrompt[],
  copy: Copy,
  audit: Audit,
): Promise<void> {
  const shared = prompts.filter(({ may_share }) => may_share)
  const foreign = prompts.filter(({ may_share }) => !may_share)
  const { ids } = await insertPrompts(trx, user, foreign.map(contentOf), audit)
  const made = foreign.map(({ name, access }, at) => ({ id: ids[at] as string, name, access }))
  for (const { id, name, access } of [...shared, ...made]) {
    await insertPromptShare(trx, { promptId: id, projectId: copy.id, access, sharedBy: user.id })
    const changes = changed(`shared with ${copy.name}`, null, access)
    await audit(trx, { did: 'share.added', subject: name, subjectId: id, changes })
  }
}
