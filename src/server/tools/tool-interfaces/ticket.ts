import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { createFindSignIn } from '../../identity/accounts/accounts.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { SecretError } from '../../platform/secrets.ts'
import type { Deps } from '../deps.ts'

const LASTS_MS = 12 * 3_600_000

const Ticket = z.object({ tool: z.string(), mark: z.string(), signIn: z.string(), until: z.number() })

/** Content of a frame's ticket: a tool, which of its interfaces, and the session that opened it. */
export type Named = { tool: string; mark: string }

/** Frames send no headers, so they read from a separate address bound to a session. */
export function sealTicket({ secrets, clock }: Deps, { tokenHash }: Caller, { tool, mark }: Named): string {
  const until = clock.now().getTime() + LASTS_MS
  return secrets.seal(JSON.stringify({ tool, mark, signIn: tokenHash.toString('base64url'), until }))
}

/** Returns the holder of a ticket while their session lasts. @throws AppError `unauthenticated` */
export function createReadTicket(deps: Deps) {
  const findSignIn = createFindSignIn(deps)
  return async (
    sealed: string,
    request: Parameters<typeof findSignIn>[1],
  ): Promise<Named & { user: Caller }> => {
    const { tool, mark, signIn, until } = openTicket(deps, sealed)
    const user =
      until > deps.clock.now().getTime() ? await findSignIn(Buffer.from(signIn, 'base64url'), request) : null
    if (!user) throw new AppError('unauthenticated', 'This address has expired.')
    return { tool, mark, user }
  }
}

function openTicket({ secrets }: Deps, sealed: string): z.infer<typeof Ticket> {
  try {
    return Ticket.parse(JSON.parse(secrets.open(sealed)))
  } catch (error) {
    // A text sealed for another purpose opens, but does not name an interface.
    if (error instanceof z.ZodError)
      throw new AppError('invalid', 'This address does not belong to an interface.')
    if (error instanceof SecretError) throw new AppError('unauthenticated', 'This address is not valid.')
    throw error
  }
}
