import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { createFindSignIn } from '../../../identity/accounts/accounts.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { mediaTypeOf } from '../../../platform/files/media-types.ts'
import { noteOpenRequest } from '../../../platform/http/connections/open-requests.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import { SecretError } from '../../../platform/secrets.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { contentOf, sendContent } from './send.ts'
import { findStored } from './store.ts'

const LASTS_MS = 12 * 3_600_000

const Ticket = z.object({ id: z.string(), version: z.number(), signIn: z.string(), until: z.number() })
type Wish = { id: string; version: number }

/** Creates a ticket that reads a version of a document, and returns its media type. @throws AppError `not_found` */
export async function openPlayback(
  { db, secrets, clock }: RunDeps,
  { tokenHash }: Caller,
  { id, version }: Wish,
): Promise<{ ticket: string; media_type: string }> {
  const stored = await findStored(db, id, version)
  if (!stored) throw new AppError('not_found', 'Document not found')
  const signIn = tokenHash.toString('base64url')
  const until = clock.now().getTime() + LASTS_MS
  const ticket: z.infer<typeof Ticket> = { id, version, signIn, until }
  return {
    ticket: secrets.seal(JSON.stringify(ticket)),
    media_type: mediaTypeOf(contentOf(stored).kind),
  }
}

/** Serves a document for a ticket. The ticket acts as the sign-in that created it, and works only while that lasts and may read the document. */
export function servePlayback(deps: RunDeps) {
  const findSignIn = createFindSignIn(deps)
  return async (ticket: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { id, version, signIn, until } = openTicket(deps, ticket)
    const isOver = until <= deps.clock.now().getTime()
    const enter = () => findSignIn(Buffer.from(signIn, 'base64url'), request)
    const caller = isOver ? null : await enter()
    if (!caller) throw new AppError('unauthenticated', 'This playback address has expired.')
    noteOpenRequest({ request, raw: reply.raw, enterAgain: async () => void (await enter()) })
    await findAllowed(deps.db, caller, 'read document', id)
    await sendContent(deps, request, reply, { id, version })
  }
}

function openTicket({ secrets }: RunDeps, ticket: string): z.infer<typeof Ticket> {
  try {
    return Ticket.parse(JSON.parse(secrets.open(ticket)))
  } catch (error) {
    if (error instanceof SecretError)
      throw new AppError('unauthenticated', 'This playback address is not valid.')
    throw error
  }
}
