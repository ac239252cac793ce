import { AppError } from '#shared/platform/errors.ts'
import type { Given } from '#shared/runs/input-requests/input-requests.ts'
import type { Principal } from '../../platform/access/access.ts'
import type { RunDeps } from '../run-deps.ts'
import { assertWaiting, giveAnswer } from '../runs/runs.ts'
import { checkApproval } from './approvals.ts'
import { type CheckedInput, checkInput, type GivenInput } from './check-input.ts'
import { findInputFile, keepFiles } from './file-store.ts'
import type { FoundRequest } from './store.ts'

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
  // A tool acts with the rights and accounts of the person whose message led to it.
  const isOwn = request.request.kind === 'approval' || request.request.kind === 'sign_in'
  if (isOwn && principal.kind !== 'visitor' && !isOfRun(principal, request))
    throw new AppError('forbidden', 'Only the person who asked can decide this.')
  const checked = await checkFor(deps, principal, request, given)
  const { run_id, key, session_id, checkpoint_name } = request
  const { input, input_type, files } = checked
  const at = await giveAnswer(deps.engine, { run_id, key }, { input, input_type }, (trx) =>
    keepFiles(trx, run_id, files),
  )
  return {
    ...{ status: 'accepted', run_id, session_id, checkpoint_name, input, input_type },
    answered_at: at.toISOString(),
  }
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
