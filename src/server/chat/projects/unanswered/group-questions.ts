import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromBytes, toBytes } from '../../../platform/vectors/vectors.ts'
import type { Deps } from '../../../tools/deps.ts'
import { addTo, findGroup, type Group, minimumOf, unitOf } from './find-group.ts'
import { findSharedWords } from './shared-words.ts'
import {
  countGroup,
  findNames,
  findOutdated,
  findUncounted,
  findUngrouped,
  insertGroup,
  type Joined,
  joinGroups,
  lockGroups,
  type NewQuestion,
  removeEmptyGroups,
  removeSurplus,
  replaceVectors,
} from './unanswered-store.ts'

/** Questions that one run of the job groups; the next run continues. */
const MAX_PER_RUN = 200

/**
 * Groups new questions by meaning with the built-in embedding, in the order in which they were asked, and counts the groups that five more
 * people asked. Nothing leaves the installation. After a change of the embedding model, new questions wait until the groups have new vectors.
 * @throws ModelError when the embedding cannot run now; the questions wait for the next run
 */
export async function groupQuestions({ db, models }: Deps, signal: AbortSignal): Promise<void> {
  await removeEmptyGroups(db)
  const questions = await findUngrouped(db, MAX_PER_RUN)
  if (questions.length === 0) return
  const { id: model } = await models.builtInEmbedding()
  const embed = (await models.embedders())(model)
  const locate = async <Q extends { content: string }>(asked: readonly Q[]) => {
    const texts = asked.map(({ content }) => content)
    const vectors = await embed(texts, signal)
    return asked.map((question, at) => ({ ...question, vector: unitOf(vectors[at] ?? []) }))
  }
  const outdated = await findOutdated(db, model)
  for (const [groupId, own] of Map.groupBy(outdated, ({ group_id }) => group_id)) {
    const located = await locate(own)
    const vectors = located.map((one) => ({ messageId: one.message_id, vector: toBytes(one.vector) }))
    await db.transaction().execute((trx) => replaceVectors(trx, { groupId, model }, vectors))
  }
  if (outdated.length > 0) return
  const located = await locate(questions)
  for (const [workspaceId, own] of Map.groupBy(located, ({ workspace_id }) => workspace_id))
    await groupIn(db, { workspaceId, model, questions: own })
}

type Located = NewQuestion & { vector: number[] }
type Given = { workspaceId: string; model: string; questions: readonly Located[] }

async function groupIn(db: Deps['db'], { workspaceId, model, questions }: Given): Promise<void> {
  const minimum = minimumOf(model)
  await db.transaction().execute(async (trx) => {
    const stored = await lockGroups(trx, workspaceId, model)
    const groups = stored.map(({ id, vectors }) => {
      const group: Group = { id, size: 0, centre: [] }
      for (const vector of vectors) addTo(group, Array.from(fromBytes(vector)))
      return group
    })
    const joined: Joined[] = []
    for (const { message_id, vector } of questions) {
      // A thousand comparisons take time, so other requests get a turn in between.
      await nextTurn()
      let group = findGroup(vector, groups, minimum)
      if (!group) {
        group = { id: await insertGroup(trx, { workspace_id: workspaceId, model }), size: 0, centre: [] }
        groups.push(group)
      }
      addTo(group, vector)
      joined.push({ messageId: message_id, groupId: group.id, vector: toBytes(vector) })
    }
    await joinGroups(trx, joined)
    await removeSurplus(trx, workspaceId)
    const uncounted = await findUncounted(trx, workspaceId)
    const names = uncounted.length > 0 ? await findNames(trx, workspaceId) : []
    for (const { id, questions: read } of uncounted) {
      await nextTurn()
      await countGroup(trx, { id, words: findSharedWords(read, names) })
    }
  })
}
