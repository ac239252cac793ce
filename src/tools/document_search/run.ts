import type { RagPhase } from '#shared/rag/rag.ts'
import type { ToolRun } from '#shared/tools/tool.ts'
import type documentSearch from './contract.ts'

/** Finds passages and answers from them; each is a step, so that after a loss neither is done twice without need. */
const run: ToolRun<typeof documentSearch> = async (question, { step, phase, partial, documents }) => {
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
