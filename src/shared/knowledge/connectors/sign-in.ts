import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** Outcome of a sign-in on the page of a source, sent as `sign_in` in the return address. */
export const SignInOutcome = z.enum(['connected', 'refused', 'expired', 'failed'])
export type SignInOutcome = z.infer<typeof SignInOutcome>

/** Redirect address to register with the services of sources. */
export const SIGN_IN_RETURN = '/connector-sign-ins/return'

export const signInConnector = route({
  method: 'POST',
  path: '/connectors/:connectorId/sign-in',
  access: 'user',
  may: 'manage connector',
  fails: ['not_available'],
  summary: 'Begin to sign in on the page of the source: the address where the browser goes',
  params: z.object({ connectorId: Id }),
  answer: z.object({ url: z.string() }),
})

/** Handles the return of the browser from a source, and redirects it to the page of the connector. */
export const returnFromSource = route({
  method: 'GET',
  path: SIGN_IN_RETURN,
  access: 'public',
  summary: 'Return from the sign-in page of a source',
  status: 302,
  query: z.object({
    state: z.optional(text(0, 8_000)),
    code: z.optional(text(0, 8_000)),
    error: z.optional(text(0, 4_000)),
    /** Ids of the files that a person picked on the page, separated by commas. */
    picked_file_ids: z.optional(text(0, 8_000)),
  }),
})
