import { getChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { readPassageWords } from '#shared/knowledge/rag/passage-words.ts'
import * as contract from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import type { Streams } from '../../runs/streams/streams.ts'
import { readChatLibrary } from './chat-library.ts'
import { generateAnswer } from './generate.ts'
import { previewPassages } from './passage-words.ts'
import type { Purse } from './pay-directly.ts'
import { streamAnswer } from './stream-answer.ts'

export { assertInScope, freezeLibrary, isAskedByPerson, scopeOfRun } from './chat-scope.ts'
export { citeAnswer } from './cite-answer.ts'
export { createDocumentPort, modelOf, scopeOfQuestion } from './document-port.ts'
export { NAMED, type RagDeps } from './find-passages.ts'
export { listen, type Payer } from './listen.ts'
export { previewPassages } from './passage-words.ts'
export { type PayingStep, payInStep } from './pay-in-step.ts'
export { ABSENT, CITING, MATERIAL } from './rag-prompts.ts'
export { isAbsent, sayAbsent } from './rag-texts.ts'
export { type Briefing, createEvidence, type RunEvidence } from './run-evidence.ts'
export { tellPassages } from './tell-passages.ts'
export { checkCited } from './verify/check-cited.ts'
export { askVerdicts, verifyCited } from './verify/verify-cited.ts'

/** Timeout of a question, including its model calls. */
const PATIENCE_MS = 5 * 60_000

/** Serves cited answers from the library. */
export function serveRag(
  server: Server,
  deps: ModelDeps & Pick<RunDeps, 'assistants'> & { engine: Purse; streams: Pick<Streams, 'readers'> },
): void {
  const { reservations } = deps.engine
  serve(server, getChatLibrary, {
    handle: ({ params, user }) => readChatLibrary(deps, user, params.sessionId),
  })
  serve(server, readPassageWords, {
    handle: async ({ body, user }) => ({ passages: await previewPassages(deps, user, body.chunk_ids) }),
  })
  serve(server, contract.generateAnswer, {
    handle: async ({ body, user, request, reply }) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(PATIENCE_MS)])
      const answer = (told?: (event: RagEvent) => void) =>
        generateAnswer({ ...deps, reservations }, user, body, signal, told)
      if (!request.headers.accept?.includes('text/event-stream')) return answer()
      await streamAnswer(() => deps.streams.readers.open(request, reply), request.log, answer)
      // The stream was the response.
      return undefined as never
    },
  })
}
