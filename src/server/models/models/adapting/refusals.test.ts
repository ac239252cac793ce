import { describe, expect, it } from 'vitest'
import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ModelCall } from '../port.ts'
import { failureOf } from '../wire/failures.ts'
import { recognize } from './recognize.ts'

const call: ModelCall = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'file', media_type: 'image/png', name: 'a.png', data_base64: '' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'x', name: 'weather', input: '{}' }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', id: 'x', name: 'weather', output: 'Sun', is_error: false }],
    },
  ],
  tools: ['calculator', 'weather'].map((name) => ({ name, description: '', input_schema: {} })),
  tool_choice: 'auto',
  max_output_tokens: 8192,
}

const read = (message: string, status = 400, more: object = {}, known: Adaptation[] = []) =>
  recognize(
    failureOf(status, JSON.stringify({ error: { message, ...more } }), {}),
    call,
    known,
    async () => 9_000,
  )

describe('recognize', () => {
  it.each([
    ['llama3:latest does not support tools', 400],
    ['No endpoints found that support tool use. Try disabling "calculator".', 404],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['tools param requires --jinja flag', 500],
    ['Tool calling is not supported for model: some/model', 405],
    ['tools is not supported in this model. For a list of supported models, refer to …', 400],
    ['The model does not support tool use or function calling but tools have been specified', 400],
    ['Function calling is not enabled for models/gemma-3-27b-it', 400],
    ["litellm.UnsupportedParamsError: ollama does not support parameters: ['tools']", 400],
    ["This model doesn't support tool use in streaming mode.", 400],
    ['Only user and assistant roles are accepted, but got tool', 400],
    ['`tool calling` is not supported with this model', 400],
    ['Functions are not supported for this API version or this model version.', 400],
    ['Tool calls are disabled on this server', 403],
    ['Ce modèle ne prend pas en charge les outils', 400],
    ['\u8be5\u6a21\u578b\u4e0d\u652f\u6301\u5de5\u5177\u8c03\u7528', 400],
  ])('reads a refusal of tools from “%s”', async (message, status) => {
    expect(await read(message, status)).toEqual({ name: 'no_tools' })
  })

  it.each([
    ['Value is not callable: null at row 58, column 7:\n{%- for message in messages %}', 500],
    ['Failed to apply chat template: unknown filter', 400],
    ['Jinja Exception: Expected string or list', 500],
    ['Template error: template not found', 422],
  ])('simplifies the call step by step after a template failed: “%s”', async (message, status) => {
    const known: Adaptation[] = []
    for (const name of ['no_tools', 'alternating', 'no_system'] as const) {
      expect(await read(message, status, {}, known)).toEqual({ name })
      known.push({ name })
    }
    expect(await read(message, status, {}, known)).toBeNull()
  })

  it.each([
    ['No endpoints found that support image input', 404],
    ['image input is not supported - hint: you may need to provide the mmproj', 500],
    ['unknown variant `image_url`, expected `text`', 400],
    ['/models/text-only is not a multimodal model', 400],
    ['Unsupported content part type for text-only server: image_url', 400],
    ['At most 0 image(s) may be provided in one prompt.', 400],
    ['Input should be a valid string: messages.1.content', 422],
    ['invalid value: array for content', 400],
    ['The model is not multimodal. Please remove image inputs.', 400],
    ['Model only accepts text input', 400],
    ['Only text content is supported', 400],
    ['content parts other than text are not supported', 400],
    ['Expected content to be a string', 400],
    ['cannot unmarshal array into Go struct field ChatMessage.messages.content of type string', 400],
    ['\u8be5\u6a21\u578b\u4e0d\u652f\u6301\u56fe\u7247\u8f93\u5165', 400],
  ])('reads a refusal of images from “%s”', async (message, status) => {
    expect(await read(message, status)).toEqual({ name: 'no_images' })
  })

  it.each([
    ['System role not supported', 400, 'no_system'],
    ['Developer instruction is not enabled for models/gemma-3', 400, 'no_system'],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", 400, 'no_system'],
    ['Only user, assistant and tool roles are supported, got system', 500, 'no_system'],
    ["Invalid value: 'system'. Supported values are: 'user', 'assistant'.", 400, 'no_system'],
    ['developer message is not supported', 400, 'no_system'],
    ["'messages[0].role' must be one of ['user','assistant']", 400, 'no_system'],
    ["Input should be 'user' or 'assistant'", 422, 'no_system'],
    ['Only user and assistant roles are supported!', 500, 'no_system'],
    [
      'After the optional system message, conversation roles must alternate user and assistant',
      500,
      'alternating',
    ],
    ['Conversation roles must alternate user/assistant/user/assistant/... at row 19', 500, 'alternating'],
    ['Expected last role User or Tool for serving but got assistant', 400, 'alternating'],
    ['The final message must be from the user', 400, 'alternating'],
    ['Cannot have 2 or more assistant messages at the end of the list.', 400, 'alternating'],
    ['Tool call id was a:0 but must be a-z, A-Z, 0-9, with a length of 9.', 400, 'short_ids'],
    ["tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", 400, 'short_ids'],
    ['Missing `reasoning_content` field in the assistant message', 400, 'echo_thoughts'],
    ['This model only supports single tool-calls at once!', 400, 'single_calls'],
  ])('reads a refusal of the history from “%s”', async (message, status, name) => {
    expect(await read(message, status)).toEqual({ name })
  })

  it.each([
    ['Only user and assistant roles are supported!', [{ name: 'no_system' }], 'no_tools'],
    ['Conversation must start with a user message', [{ name: 'alternating' }], 'no_system'],
  ] as const)('reads “%s” in another way when the first did not help', async (message, known, name) => {
    expect(await read(message, 400, {}, [...known])).toEqual({ name })
  })

  it.each([
    ['The prompt contains 16155 tokens but the model only supports 8192', 8192],
    ['max_seq_len (8192) exceeded by prompt of 9000', 8192],
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192],
    ['prompt is too long: 205000 tokens > 200000 maximum', 200_000],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['The decoder prompt (length 9000) is longer than the maximum model length of 4096.', 4096],
    ['the model is loaded with context length of only 4096 tokens, which is not enough', 4096],
    ['Requested tokens (5160) exceed context window of 512', 512],
    ['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000', 4096],
    ['Please reduce the length of the messages. Current length is 9000 while limit is 8192', 8192],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
    ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', 200_000],
    ['The maximum context length is 32,768 tokens', 32_768],
    ['Input is too long for requested model.', 6300],
    ['Range of input length should be [1, 30720]', 30_720],
    ['Your request exceeded model token limit: 8192', 8192],
    ['tokens_limit_reached: Request body too large for this model. Max size: 8000 tokens.', 8000],
    ['输入长度超过模型最大上下文长度 8192', 8192],
    ['Prompt 超长', 6300],
    ['Prompt exceeds max length', 6300],
    ['The sequence length 9000 is longer than the max 8192', 8192],
    ['Prompt tokens limit exceeded: 20000 > 16385.', 16_385],
    ['Total tokens of image and text exceed max message tokens', 6300],
    ['input_tokens_exceeded', 6300],
    ['max_tokens must be at least 1, got -123.', 6300],
    ['no user query found in messages', 6300],
  ])('reads the window from “%s”', async (message, value) => {
    expect(await read(message)).toEqual({ name: 'window', value })
  })

  it('reads the window from a figure next to the sentence, or from a limit per minute', async () => {
    const beside = { type: 'exceed_context_size_error', n_prompt_tokens: 9000, n_ctx: 4096 }
    expect(await read('the request exceeds the available context size', 400, beside)).toEqual({
      name: 'window',
      value: 4096,
    })
    const minute = 'Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9054'
    expect(await read(minute, 413)).toEqual({ name: 'window', value: 6000 })
    const code = { code: 'context_length_exceeded' }
    expect(await read('string too long', 400, code)).toEqual({ name: 'window', value: 6300 })
  })

  it.each([
    [
      'max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens',
      { name: 'output_limit', value: 4096 },
    ],
    [
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens',
      { name: 'output_limit', value: 4096 },
    ],
    ['max_tokens: Input should be less than or equal to 4096', { name: 'output_limit', value: 4096 }],
    [
      '`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      { name: 'output_limit', value: 4096 },
    ],
    ["'max_tokens' or 'max_completion_tokens' is too large", { name: 'parameter', about: 'max_tokens' }],
  ])('reads the output limit from “%s”', async (message, fact) => {
    expect(await read(message)).toEqual(fact)
  })

  it('reads the output limit from the remaining credit, or from the rest of a known window', async () => {
    const afford = 'This request requires more credits, or fewer max_tokens. You can only afford 1234.'
    const limit = (value: number) => ({ name: 'output_limit', about: 'now', value })
    expect(await read(afford, 402)).toEqual(limit(1234))
    expect(await read(afford.replace('1234', '12'), 402)).toBeNull()
    expect(await read(afford.replace('1234', 'up to 1,234'), 402)).toEqual(limit(1234))
    const full = 'input length and `max_tokens` exceed context limit: 197000 + 8192 > 200000'
    for (const said of [
      full,
      full.replace('197000', '197,000').replace('8192', '8,192').replace('200000', '200,000'),
      "'max_tokens' is too large: 8192. This model's maximum context length is 200000 tokens and your request has 197000 input tokens (8192 > 200000 - 197000).",
      "This model's maximum context length is 200000 tokens. However, you requested 205192 tokens (197000 in the messages, 8192 in the completion).",
      '`inputs` tokens + `max_new_tokens` must be <= 200000. Given: 197000 `inputs` tokens and 8192 `max_new_tokens`',
      'This endpoint has a maximum context length of 200000 tokens, but you asked for 205192 (197000 of text input, 8192 in the output).',
    ])
      expect([said, await read(said, 400, {}, [{ name: 'window', value: 200_000 }])]).toEqual([
        said,
        limit(3000),
      ])
  })

  it.each([
    [
      "Invalid schema for function 'weather': array schema missing items",
      { name: 'plain_tool', about: 'weather' },
    ],
    ['tools.1.custom.input_schema: JSON schema is invalid', { name: 'plain_tool', about: 'weather' }],
    [
      'GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty',
      { name: 'plain_tool', about: 'weather' },
    ],
    [
      "Invalid 'tools': array too long. Expected an array with maximum length 1, but got an array with length 2 instead.",
      { name: 'tool_limit', value: 1 },
    ],
  ])('reads a refusal of a tool from “%s”', async (message, fact) => {
    expect(await read(message)).toEqual(fact)
  })

  it('retries after an unreadable call, whatever its status', async () => {
    const again = { name: 'asked_again', about: 'tool_call' }
    expect(
      await read("Failed to call a function. See 'failed_generation'", 400, { code: 'tool_use_failed' }),
    ).toEqual(again)
    expect(await read("error parsing tool call: raw='{'", 500)).toEqual(again)
  })

  it.each([
    ['The response was filtered due to the prompt', 400],
    ['You exceeded your current quota', 429],
    ['Invalid API key', 401],
    ['Internal server error', 500],
    ['Could not finish the message because max_tokens or model output limit was reached.', 400],
    ['no', 400],
  ])('treats “%s” as final', async (message, status) => {
    expect(await read(message, status)).toBeNull()
  })

  it('simplifies the schemas of all tools after a pattern was refused', async () => {
    expect(await read('Pattern must start with ^ and end with $')).toEqual({ name: 'plain_tool', about: '*' })
  })

  it.each([
    '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
    "An assistant message with 'tool_calls' must be followed by tool messages.",
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message.",
    'temperature is not supported when tools are set',
  ])('keeps the tools of a model that refuses something else: “%s”', async (message) => {
    expect(await read(message)).not.toEqual({ name: 'no_tools' })
  })

  it.each([
    'Cannot connect to the tool server',
    'Unexpected EOF while running a tool',
    'Internal error: invalid state in function calling worker',
    'cannot allocate memory for image encoder',
    'unknown error in vision worker',
  ])('learns nothing from a server that failed: “%s”', async (message) => {
    expect(await read(message, 500)).toBeNull()
    expect(await read(message, 503)).toBeNull()
  })

  it.each(['This model cannot use tools', 'tools are not supported by this model'])(
    'learns that a model has no tools from a server error that says so: “%s”',
    async (message) => {
      expect(await read(message, 500)).toEqual({ name: 'no_tools' })
    },
  )

  it('learns nothing from the words of a link', async () => {
    expect(await read('The model is not available. See https://example.com/tools/images')).toBeNull()
  })
})
