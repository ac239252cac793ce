import { ASSISTANT_PREFIX } from '#shared/api/openai/models.ts'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { findAssistant, listAssistants } from '../../chat/assistants/assistants.ts'
import { isNotGranted } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'

/** Maximum assistants searched by name. */
const LOOKED_THROUGH = 100

/**
 * Returns the assistant that a model name stands for, or null for a model. @throws AppError `not_available`, `forbidden` for a
 * key without the assistants scope
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

/** Returns the first hundred assistants a caller may use. */
export function listWireAssistants(deps: Deps, user: Caller): Promise<ListedAssistant[]> {
  return listAssistants(deps, user, { after: undefined, limit: LOOKED_THROUGH })
}

/** Returns whether a caller may see and use assistants. */
export const isForAssistants = (user: Caller) => user.kind !== 'key' || user.key.scopes.includes('assistants')

/** Returns a URL form of a name, such as `procurement-analyst`. */
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
