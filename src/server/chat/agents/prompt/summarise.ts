import { AppError } from '#shared/platform/errors.ts'
import { payInStep } from '../../../knowledge/rag/rag.ts'
import { askQuietly } from '../../../models/models/asking/ask-quietly.ts'
import type { ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'

const INSTRUCTIONS =
  'You keep the memory of a conversation. Write a summary that replaces the messages: facts, numbers, names, decisions, wishes of the person, open questions. Keep the language of the conversation. At most 400 words.'

/** Characters of conversation per call and token of the window. A token rarely has fewer than two. */
const CHARACTERS_PER_TOKEN = 1

/** Summarises messages piece by piece. Each piece is one recorded model call without visible text. */
export async function summarise(
  run: RunContext,
  kit: AgentKit,
  { before, lines }: { before: string | null; lines: string[] },
): Promise<string> {
  let summary = before
  const pieces = cutIntoPieces(lines, pieceSize(run.input.context_tokens))
  for (const [index, piece] of pieces.entries()) {
    summary = await summarisePiece(run, kit, `summary:${index + 1}`, summaryMessages(summary, piece))
  }
  return summary ?? ''
}

/** Characters of conversation per call. */
export const pieceSize = (contextTokens: number): number =>
  Math.max(2_000, Math.floor(contextTokens * 0.5 * CHARACTERS_PER_TOKEN))

/** Returns the question for a summary of a piece that continues the summary so far. */
export function summaryMessages(before: string | null, piece: string): ModelMessage[] {
  const text = before ? `Summary so far:\n${before}\n\nWhat came after:\n${piece}` : piece
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}

function summarisePiece(
  run: RunContext,
  kit: AgentKit,
  key: string,
  messages: ModelMessage[],
): Promise<string> {
  const { model_name, language, user_id } = run.input
  return run.step(key, async (leaf) => {
    await leaf.reserve(model_name, { messages, tools: [] })
    const caller = { person: user_id, is_background: false }
    const question = { model: model_name, messages, language, caller, signal: leaf.signal }
    const payer = payInStep(kit, user_id, () => leaf, 'summary')
    const summary = await askQuietly(kit, question, payer.bill, payer)
    if (summary === '')
      throw new AppError('provider_failed', 'The earlier conversation could not be summarised.')
    return summary
  })
}

/** Splits lines into pieces of at most `size` characters, between messages where possible. */
export function cutIntoPieces(lines: string[], size: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of lines) {
    for (let at = 0; at < line.length || at === 0; at += size) {
      const part = line.slice(at, at + size)
      if (piece && piece.length + part.length > size) {
        pieces.push(piece)
        piece = ''
      }
      piece += `${part}\n\n`
    }
  }
  if (piece.trim()) pieces.push(piece)
  return pieces
}
