import type { ModelDeps } from '../../models/model-deps.ts'
import { type Found, found } from './found.ts'

/** Checks that the connected providers list their models. */
export async function checkModels({ models }: Pick<ModelDeps, 'models'>): Promise<Found> {
  const connections = (await models.connections()).filter(({ enabled }) => enabled)
  if (connections.length === 0) return found('models_none')
  const answering = connections.filter(({ status }) => status === 'ok')
  const offered = answering.flatMap((one) => one.models.filter((model) => model.offered))
  const away = connections.filter(({ status }) => status !== 'ok')
  const facts = { models: offered.length, answering: answering.length, connections: connections.length }
  if (away.length === 0) return found('models_answer', facts)
  const names = away.map(({ name }) => name).join(', ')
  const error = away.find(({ status_detail }) => status_detail)?.status_detail ?? ''
  return found(answering.length > 0 ? 'models_some' : 'models_away', { ...facts, names, error })
}
