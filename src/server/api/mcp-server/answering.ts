import type { CallToolResult } from '@modelcontextprotocol/server'
import { toAppError } from '../../platform/http/answer-errors.ts'

/** The answer of a tool as data and as text; a failure as a sentence its caller may act on, which says nothing of the inside. */
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
