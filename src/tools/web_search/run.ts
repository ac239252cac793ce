import type { WebPhase } from '#shared/knowledge/web-search/web-search.ts'
import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type webSearch from './contract.ts'

/** Searches, reads, ranks and answers. Each is a step, so that none is repeated unnecessarily after a crash. */
const run: ToolRun<typeof webSearch> = async ({ query, time_range }, { step, phase, partial, web }) => {
  const question = { query, time_range: time_range || null }
  const begin = (name: WebPhase) => phase(name, 'started')
  const found = await step('search', async () => {
    begin('WEB_SEARCH')
    const found = await web.search(question)
    const { engine, failures, hits } = found
    phase('WEB_SEARCH', 'completed', { engine, failures, found: hits.length })
    return found
  })
  const reading = await step('read', async () => {
    begin('SCRAPING_URLS')
    const reading = await web.read(question, found.hits, (progress) =>
      progress === 'RERANKING' ? begin(progress) : phase('SCRAPING_URLS', 'started', progress),
    )
    phase('RERANKING', 'completed', { sources: reading.sources })
    return reading
  })
  return step('answer', async () => {
    begin('GENERATION')
    const answer = await web.answer(question, found, reading, partial)
    phase('GENERATION', 'completed')
    return answer
  })
}

export default run
