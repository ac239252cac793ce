import { describe, expect, it } from 'vitest'
import type { ModelTool } from '../../port.ts'
import { createEndTrimmer } from './end-marks.ts'
import { createThoughtSplitter } from './inline-thoughts.ts'
import { repairCall } from './repair-call.ts'
import { readWrittenCalls } from './written-calls.ts'

const number = { type: 'number' }
const tools: ModelTool[] = [
  {
    name: 'calculator',
    description: '',
    input_schema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
  },
  {
    name: 'web_search',
    description: '',
    input_schema: {
      type: 'object',
      properties: { query: { type: 'string' }, count: number },
      required: ['query'],
    },
  },
]
const whole = '{"a":6,"b":7}'
const parameters = (prefix: string) =>
  `<${prefix}parameter name="a">6</${prefix}parameter><${prefix}parameter name="b">7</${prefix}parameter>`

describe('readWrittenCalls', () => {
  it.each([
    ['Llama with a method', '<|python_tag|>calculator.call(a=6, b=7)<|eom_id|>'],
    ['doubled brackets', `<tool_call>\n{{"name": "calculator", "arguments": ${whole}}}\n</tool_call>`],
    ['Qwen-Agent', `✿FUNCTION✿: calculator\n✿ARGS✿: ${whole}\n✿RESULT✿: 42`],
    ['Mistral without its marks', `calculator${whole}`],
    ['Mistral without brackets', `TOOL_CALLS[{"name": "calculator", "arguments": ${whole}}]`],
    [
      'a namespace after a prefix',
      `<tool_call>{"name": "tools.math.calculator", "arguments": ${whole}}</tool_call>`,
    ],
    ['GLM-4', `calculator\n${whole}<|observation|>`],
    [
      'DeepSeek with plain bars',
      `<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>calculator\n\`\`\`json\n${whole}\n\`\`\`<|tool▁call▁end|><|tool▁calls▁end|>`,
    ],
    [
      'DeepSeek with underscores',
      `<｜tool_calls_begin｜><｜tool_call_begin｜>calculator<｜tool_sep｜>${whole}<｜tool_call_end｜><｜tool_calls_end｜>`,
    ],
    [
      'Step',
      `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="calculator">${parameters('steptml:')}</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
    ],
    [
      'Claude with its namespace',
      `<${'antml'}:function_calls>\n<${'antml'}:invoke name="calculator">${parameters('antml:')}</${'antml'}:invoke>\n</${'antml'}:function_calls>`,
    ],
    ['an element', `<function>{"name": "calculator", "arguments": ${whole}}</function>`],
    ['an element with the name', `<tool_call name="calculator">${whole}</tool_call>`],
    ['LM Studio', `[TOOL_REQUEST]{"name": "calculator", "arguments": ${whole}}[END_TOOL_REQUEST]`],
    [
      'gpt-oss with the recipient first',
      ` to=functions.calculator<|channel|>commentary json<|message|>${whole}<|call|>`,
    ],
  ])('reads a call by %s', (_, text) => {
    const calls = readWrittenCalls(text, tools)
    expect(calls?.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([
      ['calculator', { a: 6, b: 7 }],
    ])
  })

  it('reads several names before their arguments', () => {
    const calls = readWrittenCalls(`calculator\n${whole}\nweb_search\n{"query":"x"}`, tools)
    expect(calls?.map(({ name }) => name)).toEqual(['calculator', 'web_search'])
  })

  it('reads a text of Python as the only argument that the tool requires', () => {
    expect(readWrittenCalls('web_search("red shoes")', tools)).toMatchObject([
      { name: 'web_search', input: '{"query":"red shoes"}' },
    ])
  })

  it.each([
    'calculator {x}',
    `calculator ${whole} is a call`,
    'web_search("a") fails',
    'math.calculator(a=6, b=7)',
    'TOOL_CALLS [calculator, web_search] are the offered ones.',
  ])('returns null for a text that only mentions a tool: %s', (text) => {
    expect(readWrittenCalls(text, tools)).toBeNull()
  })
})

describe('repairCall', () => {
  it.each([
    ['calculator', `${whole}}`],
    [`calculator(${whole})`, ''],
    ['functions.calculator(a=6, b=7)', ''],
    ['tools.math.calculator', whole],
    ['functions.math.calculator:0', whole],
    ['math.calculator', whole],
  ])('reads the call %s with the arguments “%s”', (name, input) => {
    expect(repairCall({ type: 'tool-call', id: '1', name, input }, tools)).toMatchObject({
      name: 'calculator',
      input: whole,
    })
  })
})

describe('createThoughtSplitter', () => {
  it.each(['<Think>', '<THINKING>', '<thoughts>'])('separates thoughts in %s', (mark) => {
    const splitter = createThoughtSplitter(false)
    const said = [...`${mark}hm${mark.replace('<', '</')}Four.`].flatMap((sign) => splitter.push(sign))
    const textOf = (type: string) =>
      said.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
    expect([textOf('reasoning'), textOf('text')]).toEqual(['hm', 'Four.'])
  })
})

describe('createEndTrimmer', () => {
  it.each([
    '<|im_sep|>',
    '<|role_end|>',
    '<|im_end|>\n<|im_start|>assistant',
    '<|eot_id|><|start_header_id|>assistant<|end_header_id|>',
  ])('removes %s', (marks) => {
    const trimmer = createEndTrimmer()
    expect([...`Four.${marks}`].map(trimmer.push).join('') + trimmer.end()).toBe('Four.')
  })
})
