import type { Deps } from '../../tools/deps.ts'
import {
  answerWhileHeard,
  type BegunCall,
  type Exchange,
  openWireStream,
  toProgramError,
} from '../openai/openai.ts'
import { anthropicForm } from './message-error.ts'
import { stopOf, writeMessage, writeToolUse, writeUsage } from './write-message.ts'

type Wish = { model: string; thinks: boolean }

/** Sends an answer as the events of Anthropic's wire: blocks of thoughts, text and tool calls, one after the other. */
export async function streamMessage(
  deps: Deps,
  exchange: Exchange,
  begun: BegunCall,
  { model, thinks }: Wish,
): Promise<void> {
  const line = openWireStream(exchange.request, exchange.reply, anthropicForm)
  const send = (type: string, fields: object = {}) =>
    void line.open().write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const blocks = createBlocks(send, () =>
    send('message_start', { message: writeMessage({ id: begun.id, model }, null) }),
  )
  try {
    const answer = await answerWhileHeard(deps, exchange, begun, {
      hearing: {
        text: (text) => text && blocks.add('text', text),
        thought: (text) => thinks && text && blocks.add('thinking', text),
      },
    })
    if (!answer) return
    for (const call of answer.tool_calls) blocks.addCall(call)
    blocks.end()
    const delta = { stop_reason: stopOf(answer), stop_sequence: null }
    send('message_delta', { delta, usage: writeUsage(answer) })
    send('message_stop')
    line.open().close()
  } catch (error) {
    line.fail(toProgramError(error))
  } finally {
    line.over()
  }
}

type Kind = 'text' | 'thinking'
const empty = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
}

/** Writes content blocks. A block ends when one of another kind begins. `begin` is called before the first. */
function createBlocks(send: (type: string, fields?: object) => void, begin: () => void) {
  let index = -1
  let open: Kind | null = null
  const close = () => {
    if (open === 'thinking')
      send('content_block_delta', { index, delta: { type: 'signature_delta', signature: '' } })
    if (open) send('content_block_stop', { index })
    open = null
  }
  const start = (content_block: object) => {
    if (index < 0) begin()
    close()
    index += 1
    send('content_block_start', { index, content_block })
  }
  return {
    add(kind: Kind, text: string) {
      if (open !== kind) start(empty[kind])
      open = kind
      send('content_block_delta', { index, delta: { type: `${kind}_delta`, [kind]: text } })
    },
    addCall(call: Parameters<typeof writeToolUse>[0]) {
      const { input, ...block } = writeToolUse(call)
      start({ ...block, input: {} })
      const partial_json = JSON.stringify(input)
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } })
      send('content_block_stop', { index })
    },
    /** Also begins a message that has no blocks. */
    end() {
      if (index < 0) begin()
      close()
    },
  }
}
