import type { CallToolResult } from '@modelcontextprotocol/server'
import { toAppError } from '../../platform/http/answer-errors.ts'

/** Returns a tool result as data and text. A failure becomes a sentence the caller can act on, without internals. */
export async function answering<Answer extends Record<string, unknown>>(
  act: () => Promise<Answer>,
  tell: (answer: Answer) => string = (answer) => JSON.stringify(answer),
): Promise<CallToolResult> {
  try {
    const answer = await act()
    return { content: [{ type: 'text', text: tell(answer) }], structuredContent: answer }
  } catch (error) {
    return { content: [{ type: 'text', text: toAppError(error).detail }], isError: true }
  }
}
