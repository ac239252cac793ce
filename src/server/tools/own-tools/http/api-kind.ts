import * as z from 'zod'
import { changesData, HttpAuth, HttpCall, type HttpInput } from '#shared/tools/own-tools/http-call.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import { targetOfRequest } from '../../approvals/approvals.ts'
import type { OwnToolKind } from '../kind.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { accountFor } from './account-for.ts'
import { describeRequest } from './describe-request.ts'
import { assertAccepted, sendCall } from './send-call.ts'
import { shapeAnswer } from './shape-answer.ts'

/** The settings shared by all calls of one API. */
export const ApiConnection = z.object({
  auth: z.optional(HttpAuth).transform((auth): HttpAuth => auth ?? { kind: 'none' }),
  /** The description from which its tools were imported. */
  source: z.object({ title: z.string(), address: z.string().nullable(), server: z.string() }).optional(),
  /** The tools come from a file. */
  is_from_file: z.literal(true).optional(),
})
export type ApiConnection = z.infer<typeof ApiConnection>

/** Time in addition to the call itself, for requesting a token and for the run's own steps. */
const SPARE_SECONDS = 20

/** Tools that call an HTTP API. */
export function createApiKind(deps: OwnToolDeps): OwnToolKind<HttpCall, ApiConnection> {
  return {
    definition: HttpCall,
    connection: ApiConnection,
    inputs: inputsOf,
    // The call's schema is checked when the answer is shaped.
    outputs: () => null,
    writes: ({ method }) => changesData(method),
    asks: ({ method }) => changesData(method),
    limitSeconds: ({ seconds }) => seconds + SPARE_SECONDS,
    sends: (_, call, __, input) => describeRequest(call, input),
    target: (_, call) => targetOfRequest(call),
    // An API's description of itself is foreign text, and so is a file.
    isForeign: ({ source, is_from_file = false }) => source !== undefined || is_from_file,
    account: ({ auth }) => (auth.kind === 'oauth2_user' ? new URL(auth.authorize_url).host : null),
    run:
      (stored, call, { auth }, userId) =>
      async (input, { signal, phase }) => {
        phase('request', 'processing')
        const secrets = auth.kind === 'none' ? {} : await openSecrets(deps, stored.set_id)
        const account = await accountFor(deps, stored, { call, auth, secrets, userId })
        const who = { auth, secrets, account }
        const answer = await sendCall(deps, call, input as Record<string, unknown>, who, signal)
        phase('request', 'complete', { status: answer.status })
        assertAccepted(answer, auth)
        return shapeAnswer(answer, call)
      },
  }
}

/** Returns the input schema of a call for models. */
export function inputsOf({ inputs }: Pick<HttpCall, 'inputs'>): JsonSchema {
  const required = inputs.filter((input) => input.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(inputs.map((input) => [input.name, describeInput(input)])),
    ...(required.length > 0 && { required }),
  }
}

function describeInput({ schema, description }: HttpInput): JsonSchema {
  return description === '' ? schema : { ...schema, description }
}
