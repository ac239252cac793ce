import type * as z from 'zod/mini'
import { type beginComparison as beginRoute, COMPARISON } from '#shared/chat/comparisons/comparisons.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { ComparedModel } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { appendMessage, checkContent, findByClientId, planMessage, startReply } from '../messages/messages.ts'

type Given = z.infer<NonNullable<(typeof beginRoute)['body']>>

/**
 * Stores a message and starts one run in which each model answers it. The same `client_id` returns the same message.
 * @throws AppError as for a message to one model; nothing is stored when one of the models is not available
 */
export async function beginComparison(
  deps: Deps,
  user: Caller,
  sessionId: string,
  given: Given,
): Promise<Message> {
  const { client_id, parent_id, model_names, document_ids = [], tool_choice = null } = given
  const content = checkContent(given.content)
  const session = await findAllowed(deps.db, user, 'write session', sessionId)
  const known = await findByClientId(deps.db, sessionId, client_id)
  if (known) return known
  const planned = []
  for (const model_name of model_names) {
    const wish = { model_name, tool_choice, ...(given.mentions && { mentions: given.mentions }) }
    planned.push(await planMessage(deps, user, session, wish))
  }
  const [first] = planned
  if (!first) throw new AppError('invalid', 'Name two models.')
  // Settings that one model supports may be refused by another.
  const { temperature: _, effort: __, max_words: ___, ...plan } = first.plan
  const compared = planned.map((one): ComparedModel => {
    const { model_name, context_tokens, tools, agent_type } = one.plan
    const { temperature, effort, max_words } = one.plan
    // A reader could not follow plans and questions of several models concurrently.
    const works = agent_type === 'single_turn' ? agent_type : 'multi_turn'
    const name = model_name.slice(model_name.indexOf('/') + 1)
    return {
      ...{ name, model_name, context_tokens, tools, agent_type: works },
      ...(temperature !== undefined && { temperature }),
      ...(effort && { effort }),
      ...(max_words && { max_words }),
    }
  })
  try {
    const run = await startReply(deps, { ...plan, agent_type: COMPARISON, compared }, (trx) =>
      appendMessage(trx, deps, sessionId, {
        ...{ content, client_id, document_ids, mentions: first.mentions, tool_choice },
        ...{ author_id: user.id, at_end: true },
        ...(parent_id && { parent_id }),
      }),
    )
    if (!run.userMessage) throw new AppError('broken', 'The message could not be read.')
    return run.userMessage
  } catch (error) {
    const twin = await findByClientId(deps.db, sessionId, client_id)
    if (twin) return twin
    throw error
  }
}
