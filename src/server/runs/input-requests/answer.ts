import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Given } from '#shared/runs/input-requests/input-requests.ts'
import type { Approval } from '#shared/runs/runs/request.ts'
import type { Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { RunDeps } from '../run-deps.ts'
import { assertWaiting, giveAnswer } from '../runs/runs.ts'
import { checkApproval } from './approvals.ts'
import { type CheckedInput, checkInput, type GivenInput } from './check-input.ts'
import { findInputFile, keepFiles } from './file-store.ts'
import { type FoundRequest, isWritable } from './store.ts'

type Trx = Kysely<Tables>

/**
 * Validates and commits an answer, then resumes the run. Repeating the same answer returns the first result.
 * @throws AppError `invalid`, `not_found`, and the errors of `giveAnswer`; nothing has changed then
 */
export async function answerRequest(
  deps: RunDeps,
  principal: Principal,
  request: FoundRequest | null,
  given: GivenInput,
): Promise<Given> {
  if (!request) throw new AppError('not_found', 'There is no request with this name.')
  // Only a signed-in user can approve a tool call or its repetition.
  if (principal.kind === 'visitor' && request.request.kind !== 'question')
    throw new AppError('forbidden', 'Only somebody with an account can decide this.')
  if (request.names_approver) throw new AppError('forbidden', `Only ${approverOf(request)} can decide this.`)
  // A tool acts with the rights and accounts of the person whose message led to it, also when its call is repeated.
  const isOwn = request.request.kind !== 'question'
  if (isOwn && principal.kind !== 'visitor' && !isOfRun(principal, request))
    throw new AppError('forbidden', 'Only the person who asked can decide this.')
  const checked = await checkFor(deps, principal, request, given)
  const also = (trx: Trx) => keepFiles(trx, request.run_id, checked.files)
  return show(
    request,
    checked,
    await giveAnswer(
      deps.engine,
      request,
      { input: checked.input, input_type: checked.input_type },
      { also },
    ),
  )
}

/**
 * Does the same for an approval that names its approver. `also` writes in the transaction of the answer.
 * @throws AppError `forbidden` for anybody else, also one who no longer is an approver when the answer is committed
 */
export async function approveRequest(
  deps: RunDeps,
  approver: Caller,
  request: FoundRequest,
  given: GivenInput,
  also: (trx: Trx, isApproved: boolean) => Promise<void>,
): Promise<Given> {
  const { input, input_type, files } = await checkFor(deps, approver, request, given)
  const decision = decisionOf(request, input)
  const at = await giveAnswer(
    deps.engine,
    request,
    { input: decision.input, input_type },
    {
      by: approver.id,
      also: async (trx) => {
        if (!(await isWritable(trx, approver, request)))
          throw new AppError('forbidden', `Only ${approverOf(request)} can decide this.`)
        await also(trx, decision.isApproved)
      },
    },
  )
  return show(request, { input: decision.input, input_type, files }, at)
}

/** @throws AppError `invalid` when an approver would stop the run of another person */
function decisionOf({ request }: FoundRequest, input: unknown): { input: unknown; isApproved: boolean } {
  if (request.kind === 'interrupted') {
    if (input === 'stop') throw new AppError('invalid', 'input: Answer retry or skip.')
    return { input, isApproved: input === 'retry' }
  }
  const { for_chat: _, ...approval } = input as Approval
  return { input: approval, isApproved: approval.approved }
}

function show(request: FoundRequest, { input, input_type }: CheckedInput, at: Date): Given {
  const { run_id, session_id, checkpoint_name } = request
  return {
    ...{ status: 'accepted', run_id, session_id, checkpoint_name, input, input_type },
    answered_at: at.toISOString(),
  }
}

/** Returns the names of those who may approve. */
function approverOf({ request: { approver } }: FoundRequest): string {
  const names = [approver?.by?.name, approver?.deputy?.name].filter((name) => name !== undefined)
  return names.join(' or ') || 'a named approver'
}

const isOfRun = (principal: Principal, { user_id }: FoundRequest) =>
  'id' in principal && principal.id === user_id

async function checkFor(
  deps: RunDeps,
  principal: Principal,
  found: FoundRequest,
  given: GivenInput,
): Promise<CheckedInput> {
  const { request } = found
  try {
    if (request.kind !== 'approval')
      return await checkInput(request, given, (id) => findInputFile(deps.db, principal, id))
    return { ...(await checkApproval(deps.checkCall, request.tool, found.user_id, given)), files: [] }
  } catch (error) {
    // Reports a late answer before any other error in it.
    assertWaiting(found, deps.clock.now())
    throw error
  }
}
