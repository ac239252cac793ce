import { AppError } from '#shared/platform/errors.ts'
import { HttpCall } from '#shared/tools/own-tools/http-call.ts'
import type { tryCall as contract, TriedCall } from '#shared/tools/own-tools/try-call.ts'
import { describeIssues } from '../../../platform/http/plain-issues.ts'
import type { Call, Caller } from '../../../platform/http/serve.ts'
import { createMask } from '../../../platform/outbound/foreign/mask-secrets.ts'
import { assertUnnamed, targetOfRequest } from '../../approvals/approvals.ts'
import { findToEdit } from '../find-to-edit.ts'
import { assertSecretsOf } from '../save-tool.ts'
import { compileSchema } from '../schemas.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { accountFor } from './account-for.ts'
import { ApiConnection, inputsOf } from './api-kind.ts'
import { assertSecrets, maskSecrets } from './authenticate.ts'
import { checkCall } from './check-call.ts'
import { staysAtOrigins } from './secret-origins.ts'
import { assertAccepted, sendCall } from './send-call.ts'
import { beginningOf, type SecretAnswer, shapeAnswer } from './shape-answer.ts'
import { writeRequest } from './write-request.ts'

type Wish = Call<typeof contract>['body']

/** Maximum characters of the raw answer shown. */
const MAX_RAW_CHARACTERS = 20_000

/**
 * Executes a call for its author to inspect, and stores nothing. @throws AppError `invalid` for an invalid call or input,
 * `not_found`, `forbidden` for another person's tool and for a call that a named person approves
 */
export async function tryCall(deps: OwnToolDeps, user: Caller, wish: Wish): Promise<TriedCall> {
  const stored = wish.tool_id ? await findToEdit(deps.db, user, wish.tool_id) : null
  if (stored && stored.kind !== 'api')
    throw new AppError('invalid', 'Only calls of an API can be tested like this.')
  const given = wish.call ?? (stored && HttpCall.parse(stored.definition))
  if (!given) throw new AppError('invalid', 'call is required.')
  const call = checkCall(given)
  const before = stored && {
    address: HttpCall.parse(stored.definition).address,
    auth: ApiConnection.parse(stored.connection).auth,
  }
  const auth = wish.auth ?? before?.auth ?? { kind: 'none' as const }
  assertSecrets(wish.secrets ?? {})
  const values = checkInputs(call, wish.inputs)
  const request = maskSecrets(writeRequest(call, values), auth)
  if (wish.dry_run) return { request, answer: null, problem: null }
  for (const target of [
    targetOfRequest(call),
    ...(stored ? [targetOfRequest(HttpCall.parse(stored.definition))] : []),
  ])
    await assertUnnamed(deps.db, user.id, { id: stored?.id ?? null, target })
  const isMoved = before !== null && !staysAtOrigins(before, { address: call.address, auth })
  const secrets = { ...(stored && !isMoved ? await openSecrets(deps, stored.set_id) : {}), ...wish.secrets }
  if (isMoved) assertSecretsOf(auth, secrets)
  const started = performance.now()
  try {
    const account = stored && (await accountFor(deps, stored, { call, auth, secrets, userId: user.id }))
    const answer = await sendCall(deps, call, values, { auth, secrets, account })
    const ms = Math.round(performance.now() - started)
    return {
      request,
      ...(await look(answer, ms, () => {
        assertAccepted(answer, auth)
        return shapeAnswer(answer, call)
      })),
    }
  } catch (error) {
    if (error instanceof AppError) return { request, answer: null, problem: error.detail }
    throw error
  }
}

async function look(
  answer: SecretAnswer,
  ms: number,
  see: () => Promise<unknown>,
): Promise<Pick<TriedCall, 'answer' | 'problem'>> {
  const shown = {
    ...{ status: answer.status, ms, bytes: answer.bytes.length },
    content_type: createMask(answer.secrets)
      .text(answer.headers.get('content-type') ?? '')
      .slice(0, 200),
    raw: beginningOf(answer, MAX_RAW_CHARACTERS),
  }
  try {
    return { answer: { ...shown, seen: await see() }, problem: null }
  } catch (error) {
    if (error instanceof AppError) return { answer: shown, problem: error.detail }
    throw error
  }
}

/** @throws AppError `invalid` with the errors by input */
function checkInputs(call: HttpCall, inputs: Record<string, unknown>): Record<string, unknown> {
  const parsed = compileSchema(inputsOf(call), 'The input').safeParse(inputs)
  if (parsed.success) return parsed.data as Record<string, unknown>
  const errors = describeIssues(parsed.error.issues.slice(0, 5), inputs)
  const [first] = errors
  throw new AppError('invalid', `${first?.path} ${first?.message}.`, { errors })
}
