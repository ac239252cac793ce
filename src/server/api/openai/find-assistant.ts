import { ASSISTANT_PREFIX } from '#shared/api/openai/models.ts'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { findAssistant, listAssistants } from '../../chat/assistants/assistants.ts'
import { isNotGranted } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'

/** Assistants that are looked through for a name. */
const LOOKED_THROUGH = 100

/**
 * The assistant a model's name stands for; null where it names a model. @throws AppError `not_available`, `forbidden` for a
 * key that is not for assistants
 */
export async function findWireAssistant(deps: Deps, user: Caller, model: string) {
  if (!model.startsWith(ASSISTANT_PREFIX)) return null
  assertForAssistants(user)
  const name = model.slice(ASSISTANT_PREFIX.length)
  if (Id.safeParse(name).success) {
    return findAssistant(deps, user, name).catch((error) => {
      throw error instanceof AppError && !isNotGranted(error) ? unknown(model) : error
    })
  }
  const named = (await listWireAssistants(deps, user)).filter((one) => slugOf(one.name) === name)
  if (named.length > 1)
    throw new AppError('not_available', `Several assistants are called ${model}. Name one by its id.`)
  if (!named[0]) throw unknown(model)
  return named[0]
}

/** The assistants a caller may ask, the first hundred. */
export function listWireAssistants(deps: Deps, user: Caller): Promise<ListedAssistant[]> {
  return listAssistants(deps, user, { after: undefined, limit: LOOKED_THROUGH })
}

/** Whether a caller may see and ask assistants. */
export const isForAssistants = (user: Caller) => user.kind !== 'key' || user.key.scopes.includes('assistants')

/** A name as it stands in addresses: `procurement-analyst`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .split(/[^\p{L}\p{N}]/u)
    .filter(Boolean)
    .join('-')
}

function assertForAssistants(user: Caller): void {
  if (isForAssistants(user)) return
  throw new AppError('forbidden', 'This API key is not for "assistants". Create one that is.')
}

function unknown(model: string): AppError {
  return new AppError('not_available', `The model ${model.slice(0, 200)} is not available.`)
}
