import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromBytes, toBytes } from '../../../platform/vectors/vectors.ts'
import type { Deps } from '../../../tools/deps.ts'
import { cosineOf } from '../../memory/memory.ts'
import { findSharedWords } from './shared-words.ts'
import {
  countGroup,
  findUncounted,
  findUngrouped,
  insertGroup,
  joinGroup,
  lockGroups,
  type NewQuestion,
  removeEmptyGroups,
  removeSurplus,
} from './unanswered-store.ts'

/** Questions that one run of the job groups; the next run continues. */
const MAX_PER_RUN = 200
/** Questions with this cosine to the centre of a group have its meaning. Vectors of words are farther apart. */
const SAME_MEANING = 0.9
const SAME_WORDS = 0.5
const LEXICAL = 'atrium/lexical'

/**
 * Groups new questions by meaning with the built-in embedding, in the order in which they were asked, and counts the groups that five more
 * people asked. Nothing leaves the installation.
 * @throws ModelError when the embedding cannot run now; the questions wait for the next run
 */
export async function groupQuestions({ db, models }: Deps, signal: AbortSignal): Promise<void> {
  await removeEmptyGroups(db)
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
type Group = { id: string; size: number; centre: number[] }

async function groupIn(db: Deps['db'], { workspaceId, model, questions }: Given): Promise<void> {
  const minimum = model === LEXICAL ? SAME_WORDS : SAME_MEANING
  await db.transaction().execute(async (trx) => {
    const stored = await lockGroups(trx, workspaceId, model)
    const groups: Group[] = stored.map(({ id, vectors }) => ({
      id,
      size: vectors.length,
      centre: meanOf(vectors.map((vector) => fromBytes(vector))),
    }))
    for (const { message_id, vector } of questions) {
      // A thousand comparisons take time, so other requests get a turn in between.
      await nextTurn()
      let group = nearestTo(vector, groups, minimum)
      if (!group) {
        group = { id: await insertGroup(trx, { workspace_id: workspaceId, model }), size: 0, centre: vector }
        groups.push(group)
      }
      group.centre = meanWith(group, vector)
      group.size += 1
      await joinGroup(trx, message_id, { id: group.id, vector: toBytes(vector) })
    }
    await removeSurplus(trx, workspaceId)
    for (const { id, questions: read } of await findUncounted(trx, workspaceId)) {
      await nextTurn()
      await countGroup(trx, { id, words: findSharedWords(read) })
    }
  })
}

function nearestTo(vector: readonly number[], groups: readonly Group[], minimum: number): Group | null {
  let nearest: Group | null = null
  let most = minimum
  for (const group of groups) {
    const cosine = cosineOf(group.centre, vector)
    if (cosine < most || (nearest && cosine === most)) continue
    nearest = group
    most = cosine
  }
  return nearest
}

function meanOf(vectors: readonly ArrayLike<number>[]): number[] {
  return Array.from(vectors[0] ?? [], (_, at) =>
    vectors.reduce((sum, vector) => sum + (vector[at] ?? 0) / vectors.length, 0),
  )
}

/** Returns the centre of a group after a vector joined. */
function meanWith({ centre, size }: Group, vector: readonly number[]): number[] {
  return centre.map((value, at) => (value * size + (vector[at] ?? 0)) / (size + 1))
}
