import type { ChatCall, ChatMessage } from '#shared/api/openai/chat.ts'
import type { ResponseCall } from '#shared/api/openai/responses.ts'

/** Converts a Responses API call to a Chat Completions call. */
export function readResponseCall({
  input,
  instructions,
  tools,
  tool_choice,
  ...call
}: ResponseCall): ChatCall {
  const above: ChatMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  const said: ChatMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : joinCalls(input)
  const format = call.text?.format
  return {
    ...{ model: call.model, messages: [...above, ...said], temperature: call.temperature },
    ...{ top_p: call.top_p, reasoning_effort: call.reasoning?.effort },
    max_completion_tokens: call.max_output_tokens,
    ...(tools && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description: description ?? '', parameters: parameters ?? undefined },
      })),
    }),
    ...(tool_choice !== undefined && {
      tool_choice:
        typeof tool_choice === 'string'
          ? tool_choice
          : { type: 'function' as const, function: { name: tool_choice.name } },
    }),
    ...(format && {
      response_format:
        format.type === 'json_schema'
          ? { type: format.type, json_schema: { name: format.name, schema: format.schema } }
          : format,
    }),
  }
}

type Items = Exclude<ResponseCall['input'], string>

/** Joins adjacent tool calls, which were made in parallel. */
function joinCalls(items: Items): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const item of items) {
    if ('role' in item) messages.push(item as ChatMessage)
    else if (item.type === 'function_call') {
      const { call_id: id, name, arguments: args } = item
      const call = { id, type: 'function' as const, function: { name, arguments: args } }
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    } else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output })
  }
  return messages
}
