import type { Checkpoint } from '../../src/shared/chat/checkpoints/checkpoints.ts'
import type { Language } from '../../src/shared/platform/primitives.ts'
import { content } from './content.ts'
import type { Visitor } from './visitor.ts'

/** Plays the demo conversations in one language; the last one ends with an open question. */
export async function play(visitor: Visitor, language: Language): Promise<void> {
  const words = content[language]
  await visitor.call('PATCH', '/users/me/preferences', { language })
  await branch(visitor, words.sums)
  await plan(visitor, words.plan, words.checkpoint)
  for (const [agent, text] of [
    ['orchestrator', words.parts],
    ['single_turn', words.summary],
  ] as const)
    await say(visitor, await visitor.open(agent), text)
  await visitor.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
  await say(visitor, await visitor.open('multi_turn'), words.waiting)
  await visitor.call('PUT', '/tools/calculator/policy', { policy: 'auto' })
}

const say = (visitor: Visitor, sessionId: string, text: string) =>
  visitor.follow(sessionId, '/messages', { content: text })

/** Plays a chat with an edited question and a regenerated reply. */
async function branch(
  visitor: Visitor,
  { question, later, reworded }: { question: string; later: string; reworded: string },
) {
  const id = await visitor.open('multi_turn')
  const [, first] = await say(visitor, id, question)
  const [, , second] = await say(visitor, id, later)
  if (!first || !second) throw new Error('The built-in model did not answer.')
  const path = (messageId: string, action: string) => `/messages/${messageId}/${action}`
  await visitor.follow(id, path(first.id, 'regenerate'), {})
  await visitor.call('POST', `/sessions/${id}/navigate/${second.id}`)
  await visitor.follow(id, path(second.id, 'edit-and-regenerate'), { content: reworded })
}

/** Plays a chat with steps and a return to a named checkpoint. */
async function plan(visitor: Visitor, text: string, label: string) {
  const id = await visitor.open('plan_and_act')
  await say(visitor, id, text)
  const checkpoints = await visitor.call<Checkpoint[]>('GET', `/sessions/${id}/checkpoints`)
  const first = checkpoints.find(({ checkpoint_name }) => checkpoint_name === 'after_step0')
  if (!first) throw new Error('The plan has no checkpoints.')
  await visitor.call('PATCH', `/checkpoints/${first.id}`, { label })
  await visitor.follow(id, '/navigate-to-checkpoint', {
    checkpoint_name: first.checkpoint_name,
    checkpoint_hint: first.id,
    message_id: first.message_id,
  })
}
