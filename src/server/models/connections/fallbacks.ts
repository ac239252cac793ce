import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Models } from '../models/models.ts'
import { lockFallbacks, writeFallback } from './connection-rules-store.ts'

type Wished = Record<string, { fallback?: string | null | undefined }>

/** Returns the ids of all models that may be fallbacks. */
export async function fallbackIds(models: Models): Promise<Set<string>> {
  const connected = (await models.connections()).flatMap((one) => one.models)
  const local = (await models.list()).filter(({ provider }) => provider === 'local')
  return new Set([...connected, ...local].map(({ id }) => id))
}

/** Sets or removes the fallback of one model. `ids` comes from `fallbackIds`. @throws AppError `invalid` */
export async function changeFallback(
  trx: Kysely<Tables>,
  ids: ReadonlySet<string>,
  model_id: string,
  fallback: string | null,
): Promise<void> {
  await assertFallbacks(trx, ids, { [model_id]: { fallback } })
  await writeFallback(trx, model_id, fallback)
}

/** Checks that each fallback is one of `ids`, and that no fallbacks form a circle. @throws AppError `invalid` */
export async function assertFallbacks(
  trx: Kysely<Tables>,
  ids: ReadonlySet<string>,
  wished: Wished,
): Promise<void> {
  const changed = Object.entries(wished).filter(([, { fallback }]) => fallback !== undefined)
  if (changed.length === 0) return
  const next = await lockFallbacks(trx)
  for (const [model, { fallback }] of changed) {
    if (fallback && !ids.has(fallback))
      throw new AppError('invalid', `fallback: there is no model ${fallback}.`)
    if (fallback) next.set(model, fallback)
    else next.delete(model)
  }
  for (const [model] of changed) assertEnds(model, next)
}

function assertEnds(model: string, next: ReadonlyMap<string, string>): void {
  const chain = [model]
  for (let one = next.get(model); one !== undefined; one = next.get(one)) {
    const isCircle = chain.includes(one)
    chain.push(one)
    if (isCircle)
      throw new AppError(
        'invalid',
        `fallback: ${chain.join(' → ')} is a circle; the last fallback must have none.`,
      )
  }
}
