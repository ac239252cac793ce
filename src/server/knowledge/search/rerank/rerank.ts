import { DEFAULT_RERANKER } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ConnectedReranker, Models } from '../../../models/models/models.ts'
import { cosineReranker } from './cosine.ts'
import { READ_MAX, rateFirst } from './first.ts'
import { lexicalReranker } from './lexical.ts'
import { maxsimReranker } from './maxsim.ts'
import { asText, type Candidate, type Reranker } from './port.ts'

export type { Candidate, Question, Reranker } from './port.ts'

/** Rerankers without a provider. */
export const builtInRerankers = ({ compare }: Pick<Models, 'compare'>): Reranker[] => [
  cosineReranker,
  lexicalReranker,
  maxsimReranker(compare),
]

type RerankModels = Pick<Models, 'compare' | 'rerankers' | 'findReranker'>

/** Lists all rerankers, the default first; its name is listed even when it is not installed. */
export async function listRerankers(models: RerankModels): Promise<Reranker[]> {
  const connected = (await models.rerankers()).map(asReranker)
  const [own, rest] = [connected.filter(isDefault), connected.filter((one) => !isDefault(one))]
  const stand = {
    ...standIn(models),
    name: DEFAULT_RERANKER,
    description: 'Not installed: maxsim stands in for it.',
  }
  return [...(own.length > 0 ? own : [stand]), ...builtInRerankers(models), ...rest]
}

/** Returns the reranker of this name, or a replacement when the default is not installed. @throws AppError when there is none */
export async function findReranker(models: RerankModels, name: string): Promise<Reranker> {
  const own = builtInRerankers(models).find((reranker) => reranker.name === name)
  if (own) return own
  const connected = await models.findReranker(name)
  if (connected) return asReranker(connected)
  if (name === DEFAULT_RERANKER) return standIn(models)
  throw new AppError('invalid', `There is no reranker ${name}.`)
}

const isDefault = ({ name }: Reranker) => name === DEFAULT_RERANKER

const standIn = ({ compare }: RerankModels): Reranker => ({
  ...maxsimReranker(compare),
  standsInFor: DEFAULT_RERANKER,
})

const asReranker = ({ id, name, provider_name, rate }: ConnectedReranker): Reranker => ({
  name: id,
  description: provider_name
    ? `The model ${name} of ${provider_name}.`
    : `The model in the folder ${name}, over the best ${READ_MAX} passages.`,
  ...(provider_name && { paid: id }),
  rate: ({ text }, candidates, signal, bill) => {
    const ask = (some: readonly Candidate[]) => rate(text, some.map(asText), signal, bill)
    return provider_name ? ask(candidates) : rateFirst(candidates, ask)
  },
})
