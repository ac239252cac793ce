import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/lifecycle/notifications/mail-answers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { countedAddress, readUser, takeTurn, visitOf } from '../../../identity/accounts/accounts.ts'
import { assertTermsAccepted } from '../../../identity/terms/terms.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../../platform/http/serve.ts'
import { answerRequest, type FoundRequest } from '../../../runs/input-requests/input-requests.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { invalidToken, isAddressedTo, openAnswer } from './answer-token.ts'
import { answersOf } from './mail-question.ts'
import { findAddress, findRequest } from './question-store.ts'

/** Serves the page behind the link of a mail, which answers one question without signing in. */
export function serveAnswering(server: Server, deps: RunDeps): void {
  serve(server, contract.readMailQuestion, {
    handle: async ({ body, request }) => {
      await takeTurn(deps, 'mail_answer_address', countedAddress(request.ip))
      const { found, state } = await openQuestion(deps, body.token, request)
      const asked = found && answersOf(found.request)
      const path = found?.session_id ? `/chat/${found.session_id}` : '/inbox'
      if (state !== 'waiting' || !asked)
        return { state, path, prompt: '', type: 'boolean' as const, options: [], deadline: null }
      const deadline = found.deadline?.toISOString() ?? null
      return { state, path, prompt: found.request.prompt, deadline, ...asked }
    },
  })
  serve(server, contract.answerMailQuestion, {
    handle: async ({ body: { token, answer }, request }) => {
      await takeTurn(deps, 'mail_answer_address', countedAddress(request.ip))
      const { found, caller, state } = await openQuestion(deps, token, request)
      if (state === 'answered')
        throw new AppError('already_answered', 'This question has already been answered.')
      if (state === 'expired') throw new AppError('deadline_passed', 'The time to answer is over.')
      const asked = found && answersOf(found.request)
      if (state === 'closed' || !found || !caller || !asked)
        throw new AppError('conflict', 'This question no longer waits for an answer.')
      const given =
        asked.type === 'boolean'
          ? { input: answer, input_type: 'boolean' as const }
          : { input: answer, input_type: 'text' as const }
      await assertTermsAccepted(deps.db, caller.id)
      await answerRequest(deps, caller, found, given)
      return { state: 'answered' as const }
    },
  })
}

type Opened = {
  found: FoundRequest | null
  caller: Caller | null
  state: contract.MailQuestion['state']
}

/** Returns the question of a token, if its addressee may still answer. @throws AppError `token_invalid`, `outside_networks` */
async function openQuestion(deps: RunDeps, token: string, request: FastifyRequest): Promise<Opened> {
  const { db, clock, secrets } = deps
  const right = openAnswer(secrets, token)
  const email = await findAddress(db, right.user)
  if (email === null || !isAddressedTo(right, email)) throw invalidToken()
  const user = await deps.networks.admit(await readUser(deps, right.user), visitOf(request).address)
  const caller: Caller = { kind: 'user', ...user, tokenHash: Buffer.alloc(0), verified: true }
  const found = await findRequest(db, right)
  if (!found || !(await mayAnswer(deps, caller, found))) return { found: null, caller: null, state: 'closed' }
  const now = clock.now().getTime()
  const isLate = right.until <= now || (found.deadline !== null && found.deadline.getTime() <= now)
  const state = found.state === 'waiting' && isLate ? 'expired' : found.state
  return { found, caller, state }
}

/** Returns whether the person may still write where the question is. */
async function mayAnswer({ db }: RunDeps, caller: Caller, found: FoundRequest): Promise<boolean> {
  try {
    if (found.session_id === null) return false
    await findAllowed(db, caller, 'write session', found.session_id)
    return true
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return false
    throw error
  }
}
