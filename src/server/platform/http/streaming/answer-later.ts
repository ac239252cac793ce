import type { FastifyReply, FastifyRequest } from 'fastify'
import { toAppError } from '../answer-errors.ts'
import { takeSeat } from './open-streams.ts'

/**
 * Answers a request with JSON after work that may take long. The request does not occupy its caller's turn meanwhile; it counts
 * as an open stream. `work` gets a signal that aborts when the caller disconnects. @throws AppError `rate_limited`
 */
export function answerLater(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (gone: AbortSignal) => Promise<{ status: number; answer: unknown }>,
): void {
  takeSeat(request, reply)
  const { raw } = reply
  const gone = new AbortController()
  // A caller that disconnected before emits no further event.
  if (raw.destroyed) gone.abort()
  else raw.once('close', () => gone.abort())
  reply.hijack()
  const send = ({ status, answer }: { status: number; answer: unknown }) => {
    if (raw.destroyed) return
    const bytes = Buffer.from(JSON.stringify(answer))
    const head = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
    raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...head })
    raw.end(bytes)
  }
  const refuse = (error: unknown) => {
    const { status, code, detail } = toAppError(error)
    return { status, answer: { detail, code } }
  }
  void work(gone.signal).catch(refuse).then(send)
}
