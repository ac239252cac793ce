import { calls, type ModelRequest, says, startModelServer } from '../../tests/support/model-server.ts'

/** Starts a model that answers every request of the soak test with a title, a belief, a tool call or text. */
export async function startTalker() {
  const model = await startModelServer({ tokensPerSecond: 60 })
  model.always((request) => [answer(request)])
  return {
    url: model.url,
    close: model.close,
    /** Releases the recorded requests. */
    forget: () => {
      model.requests.length = 0
      model.heads.length = 0
    },
  }
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `)

function answer({ messages, response_format, tools }: ModelRequest) {
  const last = messages.at(-1)
  const said = JSON.stringify(last?.content ?? '')
  if (JSON.stringify(response_format ?? '').includes('belief'))
    return says(
      JSON.stringify({
        goals: [],
        facts: [{ text: 'It is about herons.', from: 'reply' }],
        open_questions: [],
      }),
    )
  if (JSON.stringify(messages[0]?.content ?? '').includes('You name conversations'))
    return says('Herons and rents')
  if (last?.role === 'tool') return says('It says ', 'what was ', 'asked for.')
  if (tools?.length && said.includes('calculate'))
    return calls('calculator', { a: 2, b: 3, operation: 'add' })
  if (tools?.length && said.includes('library')) return calls('document_search', { query: 'rent' })
  return says(...words(said.includes('long story') ? 150 : 20))
}
