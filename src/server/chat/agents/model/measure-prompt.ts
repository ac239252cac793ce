import { ContextPart, type ContextUse } from '#shared/chat/context-use/context-use.ts'
import type { ModelMessage, ModelTool } from '../../../models/models/port.ts'
import { KNOWN_MARK, SUMMARY_MARK } from '../prompt/prompt-marks.ts'

type Prompt = {
  /** The messages before evidence and facts were added. */
  asked: readonly ModelMessage[]
  /** The messages with evidence, before facts of memory were added. */
  told: readonly ModelMessage[]
  /** The messages that were sent. */
  sent: readonly ModelMessage[]
  tools: readonly ModelTool[]
}

/** Returns the tokens of each part of a prompt: its share of the characters, of the total that was paid. */
export function measurePrompt({ asked, told, sent, tools }: Prompt, total: number): ContextUse['parts'] {
  const question = asked.findLastIndex(({ role }) => role === 'user')
  const system = asked.flatMap(({ role, content }) => (role === 'system' ? [String(content)] : [])).join('\n')
  const { instructions, summaries, known } = splitSystem(system)
  const after = asked.slice(question + 1)
  const history = asked.slice(0, question + 1).filter(({ role }) => role !== 'system')
  const sizes: Record<ContextPart, number> = {
    ...{ instructions, summaries },
    memory: known + Math.max(0, sizeOf(sent) - sizeOf(told)),
    documents: Math.max(0, sizeOf(told) - sizeOf(asked)),
    history: sizeOf(history),
    tools: tools.length > 0 ? JSON.stringify(tools).length : 0,
    work: sizeOf(after),
  }
  return shareOut(sizes, total)
}

/** Splits the total by size, so that the whole parts add up to it. */
function shareOut(sizes: Record<ContextPart, number>, total: number): ContextUse['parts'] {
  const sum = ContextPart.options.reduce((all, part) => all + sizes[part], 0)
  let before = 0
  let given = 0
  const parts: Partial<ContextUse['parts']> = {}
  for (const part of ContextPart.options) {
    before += sizes[part]
    const upTo = sum === 0 ? 0 : Math.round((total * before) / sum)
    parts[part] = upTo - given
    given = upTo
  }
  return parts as ContextUse['parts']
}

/** Finds the summary and the working memory in the instructions, where the prompt puts them. */
function splitSystem(system: string) {
  const [instructions = '', told = ''] = system.split(SUMMARY_MARK, 2)
  const [summary = '', known = ''] = told.split(KNOWN_MARK, 2)
  return { instructions: instructions.length, summaries: summary.length, known: known.length }
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
}

function textOf(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content
  const parts = content as { text?: string; input?: string; output?: string }[]
  return parts.map(({ text, input, output }) => text ?? input ?? output ?? '').join('')
}
