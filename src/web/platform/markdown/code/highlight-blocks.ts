import type { HighlightAnswer, HighlightRequest } from './highlight.ts'
import { createEngine, type GrammarState } from './highlight-engine.ts'

/**
 * Answers requests in order: highlighted lines, with the grammar's state kept per block, so that a line is parsed once.
 * `answer` is called for every `lines` request whose grammar could be loaded.
 */
export function createBlockReader(
  answer: (answer: HighlightAnswer) => void,
): (request: HighlightRequest) => Promise<void> {
  const engine = createEngine()
  const states = new Map<number, GrammarState | null>()
  let last: Promise<void> = Promise.resolve()

  async function handle(request: HighlightRequest): Promise<void> {
    if (request.kind === 'close') {
      states.delete(request.block)
      return
    }
    if (request.kind === 'warm') {
      for (const language of request.languages) {
        await engine.learn(language)
        engine.warm(language)
      }
      return
    }
    const { block, language, reset, lines, rest } = request
    await engine.learn(language)
    const before = reset ? null : (states.get(block) ?? null)
    const read =
      lines.length > 0 ? engine.tokenize(lines.join('\n'), language, before) : { lines: [], state: before }
    states.set(block, read.state)
    const shownRest = rest === '' ? [] : (engine.tokenize(rest, language, read.state).lines[0] ?? [])
    answer({ block, lines: read.lines, rest: shownRest })
  }

  return (request) => {
    // A grammar that fails to load leaves its blocks plain, without affecting others.
    last = last.then(() => handle(request)).catch(() => undefined)
    return last
  }
}
