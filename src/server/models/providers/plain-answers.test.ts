import { describe, expect, it } from 'vitest'
import { delta, events, readInShort } from '#tests/providers/read-in-short.ts'
import { openaiChat } from './compatible/openai-chat.ts'

/** Returns the answer to a text that arrives in pieces of three characters. */
const readPieces = (text: string) =>
  readInShort(
    openaiChat,
    events(...(text.match(/[\s\S]{1,3}/g) ?? []).map((content) => delta({ content })), delta({}, 'stop')),
  )
const call = '{"name": "add", "arguments": {"a": 6, "b": 7}}'
const schema = '{"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}'

describe('an answer about tools', () => {
  it.each([
    [
      'a call in a code fence',
      `Hermes writes this:\n\`\`\`xml\n<tool_call>${call}</tool_call>\n\`\`\`\nThat is all.`,
    ],
    ['a call in inline code', `Hermes writes \`<tool_call>${call}</tool_call>\` for a call.`],
    [
      'a mark in inline code',
      'The marks are `<tool_call>` and `</tool_call>`, and `[TOOL_CALLS]` in Mistral.',
    ],
    ['JSON before words', `${call}\nThis is how you call it.`],
    ['JSON in a fence before words', `\`\`\`json\n${call}\n\`\`\`\nThis is how you call it.`],
    ['the definition of a tool', `[{"name": "add", "description": "Adds.", "parameters": ${schema}}]`],
    [
      'the definition in a fence',
      `\`\`\`json\n{"name": "add", "description": "Adds.", "parameters": ${schema}}\n\`\`\``,
    ],
    [
      'the wire form of a definition',
      `{"type": "function", "function": {"name": "add", "parameters": ${schema}}}`,
    ],
    ['a list of the tools', '[{"name": "add"}, {"name": "multiply"}]'],
    ['a list with one tool', '[{"id": 1, "name": "add"}]'],
    ['JSON with the name of a tool as its key', '{"add": {"name": "Addition", "level": 2}}'],
    ['arguments that the tool does not know', '{"name": "add", "input": {"city": "Paris"}}'],
    ['Python with other arguments', 'add(x=1, y=2)'],
    ['ReAct in a fence', '```\nAction: add\nAction Input: {"a": 6, "b": 7}\n```\nThis is ReAct.'],
  ])('stays text: %s', async (_, text) => {
    const said = await readPieces(text)
    expect(said.replaceAll(' ', '')).toBe(`${text.replaceAll(' ', '')}stop`)
  })
})

describe('a call', () => {
  it.each([
    ['in a fence that begins the answer', `\`\`\`xml\n<tool_call>${call}</tool_call>\n\`\`\``],
    ['after code in the answer', `I use \`add\` for this.\n<tool_call>${call}</tool_call>`],
    ['after a mark without brackets', `TOOL_CALLS[${call}]`],
    ['after a whole fence', `\`\`\`js\n6 + 7\n\`\`\`\n<tool_call>${call}</tool_call>`],
  ])('is read %s', async (_, text) => {
    expect(await readPieces(text)).toMatch(/add\{"a":6,"b":7\} tool-calls$/)
  })
})
