import { asksForAll } from '#shared/knowledge/corpus/asks-for-all.ts'
import type { RagPhase } from '#shared/knowledge/rag/rag.ts'
import type { ToolRun } from '#shared/tools/tools/tool.ts'
import { answerFromAll } from './answer-from-all.ts'
import type documentSearch from './contract.ts'

/**
 * Finds passages and answers from them. Each is a step, so that neither is repeated unnecessarily after a crash. A question
 * about all documents is answered from every passage.
 */
const run: ToolRun<typeof documentSearch> = async ({ read_all, ...question }, context) => {
  if (read_all ?? asksForAll(question.query)) return answerFromAll(question, context)
  const { step, phase, partial, documents } = context
  const begin = (name: RagPhase) => phase(name, 'started')
  const found = await step('find', async () => {
    begin('SEARCH_PREPARATION')
    const found = await documents.find(question, begin)
    const { passages, searched } = found
    phase('RERANKING', 'completed', { question: found.question, passages, searched })
    return found
  })
  return step('answer', async () => {
    begin('GENERATION')
    const answer = await documents.answer(found, partial)
    phase('GENERATION', 'completed')
    return answer
  })
}

export default run
