import type { Configured } from '../configured.ts'
import { ModelError } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { sentenceFor } from '../wire/failures.ts'
import { answersChats } from './answers-chats.ts'
import { listModels, readModel } from './list-models.ts'
import type { ListedModel } from './listed-model.ts'

/** The models of a connection. `isListed`: the server lists models itself, in addition to those typed by hand. */
export type Offer = { models: ListedModel[]; isListed: boolean }

type Connection = Endpoint & Pick<Configured, 'kind' | 'model_ids'>

/**
 * Returns the models of a connection: those that its server lists and those named by hand. A server without a list offers only the
 * latter. @throws ModelError: `no_list` when a model server lists none and none was named
 */
export async function findOffer(connection: Connection): Promise<Offer> {
  const endpoint = await authorize(connection)
  const named = namedModels(connection)
  const listed = await listModels(connection.kind, endpoint).catch((error: unknown) => {
    if (error instanceof ModelError && isWithoutList(error, connection)) return null
    throw error
  })
  const callable = listed && hasCallableList(connection) ? listed : []
  if (listed === null && named.length === 0) await assertChats(endpoint)
  const own = named.filter(({ id }) => !callable.some((one) => one.id === id))
  return { models: [...own, ...callable], isListed: callable.length > 0 }
}

/** Returns the connection as it is called. Some kinds exchange the key for an access token. @throws ModelError */
export async function authorize<Given extends Endpoint & Pick<Configured, 'kind'>>(connection: Given) {
  const { authorize: exchange } = providerOf(connection.kind)
  return exchange ? { ...connection, ...(await exchange(connection)) } : connection
}

const hasCallableList = ({ kind, base_url }: Connection) => providerOf(kind).listing.isCallable(base_url)

/** Gateways forbid the list to keys that may call the models. */
function isWithoutList({ kind, status }: ModelError, { kind: of, model_ids }: Connection): boolean {
  const { probe, mayForbid } = providerOf(of).listing
  if (kind === 'wrong_address') return probe !== null
  return mayForbid && status === 403 && model_ids.length > 0
}

async function assertChats(endpoint: Endpoint & Pick<Configured, 'kind'>): Promise<void> {
  await answersChats(endpoint, 'any').catch((error: unknown) => {
    // A server that does not know this model is a model server all the same.
    if (!(error instanceof ModelError) || error.kind !== 'not_found') throw error
  })
  throw new ModelError('no_list', sentenceFor('no_list'))
}

/** Returns the models named by hand. They answer chats, unless their names say that they do something else. */
export function namedModels({ kind, model_ids }: Pick<Configured, 'kind' | 'model_ids'>): ListedModel[] {
  return model_ids.flatMap((id) => {
    const known = readModel(kind, { id })
    if (known.length > 0 || /embed|whisper|tts|transcribe|moderation/i.test(id)) return known
    return readModel(kind, { id: 'chat' }).map((model) => ({ ...model, id, name: id }))
  })
}
