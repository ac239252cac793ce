import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/http/serve.ts'
import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { awaitCall, type Hearing } from './await-call.ts'
import type { BegunCall } from './begin-call.ts'
import { untilClosed } from './open-stream.ts'
import type { WireAnswer } from './read-answer.ts'

export type Exchange = { user: Caller; request: FastifyRequest; reply: FastifyReply }

/**
 * Waits for the answer of a call. Returns null when the caller hung up, which stops the call unless the caller asked it to
 * continue: a client that retries would pay twice. @throws AppError of the failed run
 */
export async function answerWhileHeard(
  deps: Deps,
  { user, request, reply }: Exchange,
  begun: BegunCall,
  { hearing, continues = false }: { hearing?: Hearing; continues?: boolean } = {},
): Promise<WireAnswer | null> {
  const answer = await awaitCall(deps, user, begun, untilClosed(reply), hearing)
  if (answer || continues || wantsToContinue(request)) return answer
  await stopSession(deps.engine, begun.id).catch((error) =>
    request.log.warn({ error }, 'A call could not be stopped when its caller hung up.'),
  )
  return null
}

/** An idempotency key announces that the caller may return for the same answer. */
function wantsToContinue({ headers }: FastifyRequest): boolean {
  return headers['x-atrium-continue'] === 'true' || Boolean(headers['idempotency-key'])
}
