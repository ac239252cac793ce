type Fields = Record<string, unknown>

/** A chunk of chat completions, as far as other APIs have its parts. */
export type OwnChunk = {
  choices: { delta?: Fields; message?: Fields; finish_reason: unknown }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number }
}

/**
 * Returns a chunk of a server's own API, which a few proxies pass on unchanged, as one of chat completions: Ollama, Text Generation
 * Inference and llama.cpp. Null for others.
 */
export function fromOwnApi(event: object): OwnChunk | null {
  const chunk: Fields = { ...event }
  if (chunk.choices !== undefined || chunk.error) return null
  return fromOllama(chunk) ?? fromGeneration(chunk) ?? fromLlamaCpp(chunk)
}

/** `{"message":{"content":"Hi"},"done":false}`, or `{"response":"Hi","done":false}` */
function fromOllama({ message, response, done, done_reason, ...counts }: Fields): OwnChunk | null {
  const delta = typeof response === 'string' ? { content: response } : message
  if (typeof done !== 'boolean' || !isFields(delta)) return null
  const finish_reason = done ? (done_reason ?? 'stop') : null
  return withUsage({ delta, finish_reason }, counts.prompt_eval_count, counts.eval_count)
}

/** `{"token":{"text":"Hi","special":false},"generated_text":null}`. The last one repeats the whole text. */
function fromGeneration({ token, generated_text, details }: Fields): OwnChunk | null {
  const isLast = typeof generated_text === 'string'
  if (!isLast && !isFields(token)) return null
  const { text = '', special } = isFields(token) ? token : {}
  const { finish_reason = 'stop', generated_tokens } = isFields(details) ? details : {}
  const reason = finish_reason === 'length' ? 'length' : 'stop'
  return withUsage(
    {
      delta: { content: special === true ? '' : text },
      ...(isLast && { message: { content: generated_text } }),
      finish_reason: isLast ? reason : null,
    },
    undefined,
    generated_tokens,
  )
}

/** `{"content":"Hi","stop":false}` */
function fromLlamaCpp({ content, stop, stop_type, stopped_limit, ...counts }: Fields): OwnChunk | null {
  if (typeof content !== 'string' || typeof stop !== 'boolean') return null
  const reason = stop_type === 'limit' || stopped_limit === true ? 'length' : 'stop'
  const choice = { delta: { content }, finish_reason: stop ? reason : null }
  return withUsage(choice, counts.tokens_evaluated, counts.tokens_predicted)
}

/** Counts of a part of the answer are no usage. */
function withUsage(choice: OwnChunk['choices'][number], input: unknown, output: unknown): OwnChunk {
  if (choice.finish_reason === null || typeof input !== 'number' || typeof output !== 'number')
    return { choices: [choice] }
  return { choices: [choice], usage: { prompt_tokens: input, completion_tokens: output } }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
