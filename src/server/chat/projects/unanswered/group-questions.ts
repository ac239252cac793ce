import { fromBytes, toBytes } from '../../../platform/vectors/vectors.ts'
import type { Deps } from '../../../tools/deps.ts'
import { cosineOf } from '../../memory/memory.ts'
import {
  findUngrouped,
  insertGroup,
  joinGroup,
  lockGroups,
  type NewQuestion,
  removeSurplus,
} from './unanswered-store.ts'

/** Questions that one run of the job groups; the next run continues. */
const MAX_PER_RUN = 200
/** Questions with this cosine to the centre of a group have its meaning. Vectors of words are farther apart. */
const SAME_MEANING = 0.9
const SAME_WORDS = 0.5
const LEXICAL = 'atrium/lexical'

/**
 * Groups new questions by meaning with the built-in embedding, in the order in which they were asked. Nothing leaves the installation.
 * @throws ModelError when the embedding cannot run now; the questions wait for the next run
 */
export async function groupQuestions({ db, models }: Deps, signal: AbortSignal): Promise<void> {
  const questions = await findUngrouped(db, MAX_PER_RUN)
  if (questions.length === 0) return
  const { id: model } = await models.builtInEmbedding()
  const embed = (await models.embedders())(model)
  const vectors = await embed(
    questions.map(({ content }) => content),
    signal,
  )
  const located = questions.map((question, at) => ({ ...question, vector: Array.from(vectors[at] ?? []) }))
  for (const [workspaceId, own] of Map.groupBy(located, ({ workspace_id }) => workspace_id))
    await groupIn(db, { workspaceId, model, questions: own })
}

type Located = NewQuestion & { vector: number[] }
type Given = { workspaceId: string; model: string; questions: readonly Located[] }

async function groupIn(db: Deps['db'], { workspaceId, model, questions }: Given): Promise<void> {
  const minimum = model === LEXICAL ? SAME_WORDS : SAME_MEANING
  await db.transaction().execute(async (trx) => {
    const stored = await lockGroups(trx, workspaceId, model)
    const groups = stored.map(({ centre, ...group }) => ({ ...group, centre: Array.from(fromBytes(centre)) }))
    for (const { message_id, vector } of questions) {
      const nearest = groups
        .map((group) => ({ group, cosine: cosineOf(group.centre, vector) }))
        .sort((a, b) => b.cosine - a.cosine || a.group.id.localeCompare(b.group.id))[0]
      let group = nearest && nearest.cosine >= minimum ? nearest.group : null
      if (!group) {
        const id = await insertGroup(trx, { workspaceId, model, centre: toBytes(vector) })
        group = { id, size: 0, centre: vector }
        groups.push(group)
      }
      group.centre = meanWith(group, vector)
      group.size += 1
      await joinGroup(trx, message_id, { id: group.id, centre: toBytes(group.centre) })
    }
    await removeSurplus(trx, workspaceId)
  })
}

/** Returns the centre of a group after a vector joined. */
function meanWith({ centre, size }: { centre: number[]; size: number }, vector: readonly number[]): number[] {
  return centre.map((value, at) => (value * size + (vector[at] ?? 0)) / (size + 1))
}
