import type { SecondStep } from '#shared/identity/accounts/second-factor.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { rememberDevice } from '../device-store.ts'
import {
  hashSecret,
  issueToken,
  lockAccount,
  newSecret,
  type Recheck,
  type Visit,
} from '../tokens/access-token-store.ts'
import { assertInNetworks } from '../tokens/assert-in-networks.ts'
import { findPending, insertPending, readFactors, spendPending } from './second-factor-store.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'networks'>
/** Origin of a sign-in: the browser and its device secret. */
export type From = {
  visit: Visit
  device: string | null
  /** The session at a sign-on service, if it can be ended there. */
  signOnId?: string | null
}
export type LetIn = { token: string; device: string }

const ticketMs = 10 * 60_000

/**
 * Completes the first step of any sign-in: returns a token, or a ticket for the second step when the user has a second factor or a
 * company requires one. The ticket gives no other access. `recheck` is that of `issueToken`.
 * @throws AppError `outside_networks`
 */
export async function letIn(
  deps: Deps,
  userId: string,
  from: From,
  recheck?: Recheck,
): Promise<LetIn | { secondStep: SecondStep }> {
  await assertInNetworks(deps, userId, from.visit)
  const { appSince, hasPasskey, recoveryCodesLeft, isRequired } = await readFactors(deps.db, userId)
  if (!appSince && !isRequired) return giveToken(deps, userId, from, recheck)
  const ticket = newSecret()
  const expiresAt = new Date(deps.clock.now().getTime() + ticketMs)
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId)
    await recheck?.(trx)
    const pending = { userId, hash: hashSecret(ticket), expiresAt, signOnId: from.signOnId ?? null }
    await insertPending(trx, pending)
  })
  const app = appSince ? (['app'] as const) : []
  const passkey = hasPasskey ? (['passkey'] as const) : []
  const recovery = appSince && recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []
  return { secondStep: { ticket, factors: [...app, ...passkey, ...recovery] } }
}

/** Returns the pending sign-in of a ticket. @throws AppError `token_invalid` */
export async function readTicket({ db, clock }: Pick<Platform, 'db' | 'clock'>, ticket: string) {
  const person = await findPending(db, hashSecret(ticket), clock.now())
  if (person) return person
  throw tooLate()
}

/** Completes a successful second step. A ticket works once. @throws AppError `token_invalid` */
export async function finishTicket(deps: Deps, ticket: string, userId: string, from: From): Promise<LetIn> {
  const { signOnId } = await readTicket(deps, ticket)
  return giveToken(deps, userId, { ...from, signOnId }, async (trx) => {
    if (!(await spendPending(trx, hashSecret(ticket)))) throw tooLate()
  })
}

async function giveToken(
  deps: Deps,
  userId: string,
  { visit, device, signOnId }: From,
  recheck?: Recheck,
): Promise<LetIn> {
  const token = await issueToken(deps, userId, { ...visit, signOnId }, recheck)
  return { token, device: await rememberDevice(deps, userId, device) }
}

const tooLate = () => new AppError('token_invalid', 'This sign-in took too long. Begin again.')
