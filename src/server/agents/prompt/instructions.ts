import type { RunInput } from '../../runs/runs.ts'

/** What every agent is told first. Built from the frozen input alone, so that a replay says the same. */
export function writeInstructions({ instructions, tools, started_at, language }: RunInput): string {
  const preferred = language === 'fr' ? 'French' : 'English'
  const lines = [
    instructions ??
      'You are Atrium, an assistant for people at work. Answer clearly, correctly and to the point.',
    `Answer in the language of the last message; when it has none, in ${preferred}.`,
    'Write Markdown. Say so when you do not know something; never make up facts, sources or numbers.',
    `Today is ${started_at.slice(0, 10)} (UTC).`,
  ]
  if (tools.length > 0) {
    lines.push(
      'Use the tools when they give a better answer than you can give alone. Calculate with the calculator.',
    )
  }
  return lines.join('\n')
}
