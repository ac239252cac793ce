import * as z from 'zod'
import { changesData, HttpAuth, HttpCall, type HttpInput } from '#shared/tools/own-tools/http-call.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import type { OwnToolKind } from '../kind.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { accountFor } from './account-for.ts'
import { describeRequest } from './describe-request.ts'
import { assertAccepted, sendCall } from './send-call.ts'
import { shapeAnswer } from './shape-answer.ts'

/** What the calls of one API have in common. */
export const ApiConnection = z.object({
  auth: z.optional(HttpAuth).transform((auth): HttpAuth => auth ?? { kind: 'none' }),
  /** The description its tools were imported from. */
  source: z.object({ title: z.string(), address: z.string().nullable(), server: z.string() }).optional(),
})
export type ApiConnection = z.infer<typeof ApiConnection>

/** Beside the call itself: a token that is asked for, and what the frame of a run takes. */
const SPARE_SECONDS = 20

/** Tools that are calls of an HTTP API. */
export function createApiKind(deps: OwnToolDeps): OwnToolKind<HttpCall, ApiConnection> {
  return {
    definition: HttpCall,
    connection: ApiConnection,
    inputs: inputsOf,
    // What the call says of its answer is held to when it is shaped.
    outputs: () => null,
    writes: ({ method }) => changesData(method),
    asks: ({ method }) => changesData(method),
    limitSeconds: ({ seconds }) => seconds + SPARE_SECONDS,
    sends: (_, call, __, input) => describeRequest(call, input),
    // What an API says of itself was written by others.
    isForeign: ({ source }) => source !== undefined,
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

/** What a model is told of the inputs of a call. */
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
