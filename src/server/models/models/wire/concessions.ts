type Body = Record<string, unknown>
type Concession = { refused: RegExp; change: (body: Body) => Body | null }

/**
 * What servers are known to refuse, and the request without it. Each changes a body that still carries the refused
 * thing and answers null when there is nothing to change.
 */
const concessions: Concession[] = [
  { refused: /stream_options|include_usage/i, change: without('stream_options') },
  { refused: /max_completion_tokens|max_tokens/i, change: renameMaxTokens },
  { refused: /temperature/i, change: without('temperature') },
  { refused: /encrypted.content/i, change: without('include') },
  { refused: /reasoning_(content|details)/i, change: withoutThoughts },
  { refused: /tool_choice|tool choice/i, change: easeToolChoice },
  { refused: /response_format|json_schema|guided/i, change: easeFormat },
]

/** Concessions that were needed before, by server and model: they are made at once the next time. */
const needed = new Map<string, Set<Concession>>()

/** The body with every concession this server already needed. */
export function applyConcessions(server: string, body: Body): Body {
  let result = body
  for (const { change } of needed.get(server) ?? []) result = change(result) ?? result
  return result
}

/** The body without what the server's sentence complains about, or null when nothing can be given up. */
export function concede(server: string, body: Body, sentence: string): Body | null {
  for (const concession of concessions) {
    const changed = concession.refused.test(sentence) ? concession.change(body) : null
    if (!changed) continue
    needed.set(server, (needed.get(server) ?? new Set()).add(concession))
    return changed
  }
  return null
}

function without(name: string) {
  return ({ [name]: given, ...rest }: Body): Body | null => (given === undefined ? null : rest)
}

function renameMaxTokens({ max_tokens, ...rest }: Body): Body | null {
  return max_tokens === undefined ? null : { ...rest, max_completion_tokens: max_tokens }
}

function withoutThoughts(body: Body): Body | null {
  const messages = body.messages as Body[] | undefined
  if (!messages?.some((message) => 'reasoning_content' in message || 'reasoning_details' in message))
    return null
  return {
    ...body,
    messages: messages.map(({ reasoning_content: _, reasoning_details: __, ...message }) => message),
  }
}

/** Some servers know no named choice: the only tool on offer, and it is required; others know only `auto`. */
function easeToolChoice(body: Body): Body | null {
  const { tool_choice } = body
  if (typeof tool_choice === 'object' && tool_choice !== null) {
    const { name, function: named } = tool_choice as { name?: string; function?: { name: string } }
    const tools = (body.tools as { name?: string; function?: { name: string } }[]).filter(
      (tool) => (tool.function?.name ?? tool.name) === (named?.name ?? name),
    )
    return { ...body, tools, tool_choice: 'required' }
  }
  return tool_choice === undefined || tool_choice === 'auto' ? null : { ...body, tool_choice: 'auto' }
}

/** A server without schemas is asked for any JSON, with the schema in words. */
function easeFormat(body: Body): Body | null {
  const format = body.response_format as { type: string; json_schema?: { schema: unknown } } | undefined
  if (!format) return null
  if (format.type !== 'json_schema') return without('response_format')(body)
  const content = `Answer with JSON that follows this schema, and nothing else: ${JSON.stringify(format.json_schema?.schema)}`
  const messages = [{ role: 'system', content }, ...(body.messages as Body[])]
  return { ...body, messages, response_format: { type: 'json_object' } }
}
