import type { Message } from '../../src/shared/runs/runs/message.ts'

/** Returns a reply of `tokens` tokens in the style of a model: prose, lists, code blocks, tables and formulas. */
export function replyTokens(tokens: number): string[] {
  let text = ''
  for (let part = 0; tokenise(text).length < tokens; part += 1) text += section(part)
  return tokenise(text).slice(0, tokens)
}

/** Returns the messages of a long chat, oldest first; every answer has a heading, a list, code or a table. */
export function longHistory(sessionId: string, count: number): Message[] {
  return Array.from({ length: count }, (_, at) => {
    const isUser = at % 2 === 0
    return {
      id: messageId(at),
      client_id: null,
      chat_session_id: sessionId,
      parent_id: at === 0 ? null : messageId(at - 1),
      role: isUser ? 'user' : 'assistant',
      agent_type: null,
      model_name: isUser ? null : 'openai/gpt-4o',
      content: isUser ? question(at) : answer(at),
      blocks: isUser ? [] : [{ type: 'text', id: 'text-0', text: answer(at) }],
      status: 'completed',
      is_modified: false,
      metadata: {},
      created_at: new Date(1_700_000_000_000 + at * 60_000).toISOString(),
    }
  })
}

/** Returns the id of the message at an index. */
export function messageId(at: number): string {
  return `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
}

function tokenise(text: string): string[] {
  return text.match(/\s?\S{1,5}|\s+/g) ?? []
}

function question(at: number): string {
  return `Question ${at / 2 + 1}: how did the price per square metre of lot ${at % 7} change, and what follows from it?`
}

function answer(at: number): string {
  const parts = [
    `### Lot ${at % 7}\n\nThe price rose by **${(at % 9) + 1} %** against the year before, ${'mostly because of the labour index '.repeat((at % 4) + 1)}(see article 9.${at % 5}).\n\n`,
    `- Labour: index ${120 + (at % 11)}.${at % 10}\n- Energy: stable, \`FSD2\` at ${100 + (at % 6)}\n- Notice: three months\n\n`,
  ]
  if (at % 4 === 1)
    parts.push(
      `\`\`\`python\ndef revise(price, index, base):\n    # article 9.${at % 5}\n    return price * (0.15 + 0.85 * index / base)\n\nprint(revise(${at}_000, 133.1, 128.4))\n\`\`\`\n\n`,
    )
  else
    parts.push(
      `| Site | Area | Cost |\n| --- | ---: | ---: |\n| Paris | ${at * 3} | ${at * 41} |\n| Lyon | ${at * 2} | ${at * 29} |\n| Lille | ${at} | ${at * 12} |\n\n`,
    )
  return `${parts.join('')}So lot ${at % 7} should be negotiated ${at % 3 === 0 ? 'first' : 'later'}.\n`
}

function section(part: number): string {
  const prose = `## Part ${part + 1}\n\nKessler combines the **highest cost** per square metre with the *weakest* exit clause. Its term ends on 31 March 2027, but notice must be sent three months earlier, so this window closes first. See [the contract](https://example.com/contract) and \`article 9.2\`, which allows one revision a year: $P = P_0 (0.15 + 0.85 S / S_0)$.\n\n`
  const list = `1. Send notice before the end of the year.\n2. Open the claim:\n   - invoice F-2026-0781, 10 908 €\n   - night call-outs, ~20 a month\n3. Ask for a bridge offer.\n\n`
  const code = `\`\`\`${part % 2 === 0 ? 'python' : 'typescript'}\n${codeLines(part)}\n\`\`\`\n\n`
  const table = `| Supplier | Annual cost | Per m² | Term ends |\n| --- | ---: | ---: | --- |\n${Array.from({ length: 13 }, (_, row) => `| Supplier ${row} | ${612_400 - row * 7000} € | ${(14.9 - row / 5).toFixed(2)} | 3${row % 2} Mar 2027 |`).join('\n')}\n\n`
  const math = `> The revision is bounded.\n\n$$\n\\Delta = \\sum_{i=1}^{7} \\left( B_i - P_n A_i \\right)\n$$\n\n`
  return prose + [list, code, table, math][part % 4] + (part % 2 === 0 ? code : list)
}

function codeLines(part: number): string {
  if (part % 2 === 0)
    return Array.from({ length: 8 }, (_, at) =>
      [
        `def revise_${at}(price: float, index: float = 1.0) -> float:`,
        `    """One revision a year, article 9.${at}."""`,
        `    return price * (0.15 + 0.85 * index / ${128 + at}.4)  # due`,
        '',
      ].join('\n'),
    ).join('\n')
  return Array.from({ length: 9 }, (_, at) =>
    [
      `export const gap${at} = (sites: Site[], rate: number): Site[] =>`,
      `  sites.map((site) => ({ ...site, gap: site.invoiced - rate * ${at} })) // step ${at}`,
      '',
    ].join('\n'),
  ).join('\n')
}
