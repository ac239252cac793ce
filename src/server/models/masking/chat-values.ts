import * as z from 'zod'
import { MaskKind } from '#shared/models/masking/masking.ts'
import type { Platform } from '../../platform/platform.ts'
import { addValues, type MaskedValue } from './replacing/mapping.ts'
import { findSealed, lockSealed, updateSealed } from './store.ts'

type Deps = Pick<Platform, 'db' | 'secrets'>
type Found = Pick<MaskedValue, 'kind' | 'value'>

const Stored = z.array(z.tuple([z.enum([...MaskKind.options, 'text']), z.int(), z.string()]))

/** Returns the replaced values of a chat, in order. */
export async function readValues({ db, secrets }: Deps, sessionId: string): Promise<readonly MaskedValue[]> {
  return open(secrets, await findSealed(db, sessionId))
}

/**
 * Returns the values of a chat with those that were found. New ones are stored before this returns, so that a run that is resumed uses
 * the same placeholders. Values of a chat that does not exist are only returned.
 */
export async function assignValues(
  { db, secrets }: Deps,
  sessionId: string | null,
  found: readonly Found[],
): Promise<readonly MaskedValue[]> {
  if (sessionId === null) return addValues([], found)
  const known = await readValues({ db, secrets }, sessionId)
  if (addValues(known, found) === known) return known
  return db.transaction().execute(async (trx) => {
    const sealed = await lockSealed(trx, sessionId)
    if (sealed === undefined) return addValues([], found)
    const before = open(secrets, sealed)
    const values = addValues(before, found)
    if (values !== before) await updateSealed(trx, sessionId, secrets.seal(write(values)))
    return values
  })
}

const write = (values: readonly MaskedValue[]) =>
  JSON.stringify(values.map(({ kind, number, value }) => [kind, number, value]))

function open(secrets: Deps['secrets'], sealed: string | null): readonly MaskedValue[] {
  if (sealed === null) return []
  return Stored.parse(JSON.parse(secrets.open(sealed))).map(([kind, number, value]) => ({
    kind,
    number,
    value,
  }))
}
