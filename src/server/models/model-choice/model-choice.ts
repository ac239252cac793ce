import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertOpen } from '../../platform/access/access.ts'
import type { ModelDeps } from '../model-deps.ts'

type Deps = Pick<ModelDeps, 'models' | 'grants'>

/** The models a person may use, in order; the first is the default. */
export async function listModelsFor({ models, grants }: Deps, userId: string): Promise<AvailableModel[]> {
  const [all, closed] = await Promise.all([models.list(), grants.closedTo(userId)])
  const open = all.filter(({ id }) => !closed.has('model', id))
  return open.map((model, place) => ({ ...model, is_default: place === 0 }))
}

/** One of them. @throws AppError `not_available` if no provider offers it, `not_granted` if the person has no access */
export async function findModelFor(
  { models, grants }: Deps,
  userId: string,
  modelId: string,
): Promise<AvailableModel> {
  const model = await models.find(modelId)
  await assertOpen(grants, userId, { kind: 'model', id: model.id })
  return model
}

/** The default model for a person's work. @throws AppError `not_granted` if they have access to none */
export async function defaultModelFor(deps: Deps, userId: string): Promise<AvailableModel> {
  const [first] = await listModelsFor(deps, userId)
  if (first) return first
  throw new AppError('not_granted', 'No model is open to you. Ask your administrator.')
}
