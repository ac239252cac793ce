import { describe, expect, it } from 'vitest'
import type { ModelTool } from '../../port.ts'
import { createEndTrimmer } from './end-marks.ts'
import { createThoughtSplitter } from './inline-thoughts.ts'
import { repairCall } from './repair-call.ts'
import { readWrittenCalls } from './written-calls.ts'

const tools = [
  {
    name: 'calculator',
    description: '',
    input_schema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' }, note: { type: 'string' } },
      required: ['a', 'b'],
    },
  },
]
const whole = '{"a":6,"b":7}'

describe('repairCall', () => {
  it.each([
    ['in a text', JSON.stringify(whole)],
    ['in a text twice', JSON.stringify(JSON.stringify(whole))],
    ['in a fence', `\`\`\`json\n${whole}\n\`\`\``],
    ['given twice', whole + whole],
    ['with a trailing comma', '{"a":6,"b":7,}'],
    ['with single quotes', "{'a': 6, 'b': 7}"],
    ['without quotes', '{a: 6, b: 7}'],
    ['with a comment', '{"a":6, // first\n"b":7}'],
    ['with texts for numbers', '{"a":"6","b":"7"}'],
    ['in an envelope', '{"arguments":{"a":6,"b":7}}'],
    ['in an envelope with its name', `{"name":"calculator","arguments":${JSON.stringify(whole)}}`],
    ['in a list of one', `[${whole}]`],
    ['with null for an optional property', '{"a":6,"b":7,"note":null}'],
  ])('reads arguments %s', (_, input) => {
    expect(
      JSON.parse(repairCall({ type: 'tool-call', id: '1', name: 'calculator', input }, tools).input),
    ).toEqual({ a: 6, b: 7 })
  })

  it.each([
    ['cut off', '{"a":6,"b":'],
    ['two different objects', '{"a":1,"b":2}{"a":3,"b":4}'],
    ['prose', 'six times seven'],
  ])('leaves arguments unchanged: %s', (_, input) => {
    expect(repairCall({ type: 'tool-call', id: '1', name: 'calculator', input }, tools).input).toBe(input)
  })

  it.each([
    'functions.calculator',
    'functions.calculator:0',
    'default_api.calculator',
    'Calculator',
    'tools/calculator',
    'calculator<|channel|>json',
  ])('finds the tool for %s', (name) => {
    expect(repairCall({ type: 'tool-call', id: '1', name, input: '' }, tools)).toMatchObject({
      name: 'calculator',
      input: '{}',
    })
  })
})

describe('a plain text', () => {
  const search = [
    { name: 'search', description: '', input_schema: { properties: { query: { type: 'string' } } } },
  ] as unknown as ModelTool[]
  it.each([
    'Action: search\nAction Input: rent in Lyon\nObservation: 4,200',
    'Thought: look it up\nAction: search[rent in Lyon]\nObservation: 4,200',
  ])('is the only argument of a tool that takes one text: %s', (text) => {
    expect(readWrittenCalls(text, search)).toMatchObject([
      { name: 'search', input: '{"query":"rent in Lyon"}' },
    ])
  })

  it('stays unchanged for other tools', () => {
    const [call] = readWrittenCalls('Action: calculator\nAction Input: six times seven', tools) ?? []
    expect(call?.input).toBe('six times seven')
  })
})

describe('readWrittenCalls', () => {
  it.each([
    ['Hermes', `<tool_call>\n{"name": "calculator", "arguments": ${whole}}\n</tool_call>`],
    ['Llama', `<|python_tag|>{"name": "calculator", "parameters": ${whole}}`],
    ['bare JSON', `{"name": "calculator", "parameters": ${whole}}`],
    ['Llama functions', `<function=calculator>${whole}</function>`],
    ['Mistral', `[TOOL_CALLS][{"name": "calculator", "arguments": ${whole}}]`],
    ['newer Mistral', `[TOOL_CALLS]calculator[ARGS]${whole}`],
    [
      'Qwen Coder',
      '<tool_call>\n<function=calculator>\n<parameter=a>\n6\n</parameter>\n<parameter=b>\n7\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'GLM',
      '<tool_call>calculator\n<arg_key>a</arg_key>\n<arg_value>6</arg_value>\n<arg_key>b</arg_key>\n<arg_value>7</arg_value>\n</tool_call>',
    ],
    [
      'Kimi',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.calculator:0<|tool_call_argument_begin|>${whole}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    [
      'DeepSeek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculator\n\`\`\`json\n${whole}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    ['gpt-oss', `<|channel|>commentary to=functions.calculator <|constrain|>json<|message|>${whole}<|call|>`],
    [
      'invoke',
      '<invoke name="calculator"><parameter name="a">6</parameter><parameter name="b">7</parameter></invoke>',
    ],
    ['a fence', `\`\`\`json\n{"name": "calculator", "arguments": ${whole}}\n\`\`\``],
    ['Python', '[calculator(a=6, b=7)]'],
    ['Llama 4', '<|python_start|>[calculator(a=6, b=7)]<|python_end|>'],
    ['LFM', '<|tool_call_start|>[calculator(a=6, b=7)]<|tool_call_end|>'],
    ['Gemma', '```tool_code\nprint(calculator(a=6, b=7))\n```'],
    ['FunctionGemma', '<start_function_call>call:calculator{a:6,b:7}<end_function_call>'],
    ['Command R', `Action: \`\`\`json\n[{"tool_name": "calculator", "parameters": ${whole}}]\n\`\`\``],
    [
      'Seed',
      '<seed:tool_call>\n<function=calculator>\n<parameter=a>6</parameter>\n<parameter=b>7</parameter>\n</function>\n</seed:tool_call>',
    ],
    ['InternLM', `<|action_start|><|plugin|>{"name": "calculator", "parameters": ${whole}}<|action_end|>`],
    ['Nemotron', `<TOOLCALL>[{"name": "calculator", "arguments": ${whole}}]</TOOLCALL>`],
    [
      'MiniMax M3',
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="calculator">]<]minimax[>[<a>6]<]minimax[>[</a>]<]minimax[>[<b>7]<]minimax[>[</b>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    ],
    ['Phi', `functools[{"name": "calculator", "arguments": ${whole}}]`],
    ['Olmo', '<function_calls>\ncalculator(a=6, b=7)\n</function_calls>'],
    ['Gemma 4', '<|tool_call>call:calculator{a:6,b:7}<tool_call|>'],
    ['Apertus', `<|tools_prefix|>[{"calculator": ${whole}}]<|tools_suffix|>`],
    ['Command A', `<|START_ACTION|>[{"tool_name": "calculator", "parameters": ${whole}}]<|END_ACTION|>`],
    ['LongCat', `<longcat_tool_call>{"name": "calculator", "arguments": ${whole}}</longcat_tool_call>`],
    ['Llama 4 in JSON', `<|python_start|>{"name": "calculator", "parameters": ${whole}}<|python_end|>`],
    ['the end of a turn after it', `[TOOL_CALLS] [{"name": "calculator", "arguments": ${whole}}]</s>`],
    ['its name before its arguments', `<tool_call>\ncalculator\n${whole}\n</tool_call>`],
    ['Python in marks of JSON', '<tool_call>calculator(a=6, b=7)</tool_call>'],
    ['Python with its module', '<tool_code>\nprint(default_api.calculator(a=6, b=7))\n</tool_code>'],
    ['elements', `<tool_use>\n<name>calculator</name>\n<arguments>${whole}</arguments>\n</tool_use>`],
    ['a tag of its name', `<tool name="calculator">${whole}</tool>`],
    ['constants of Python', "<tool_call>{'name': 'calculator', 'arguments': {'a': 6, 'b': 7}}</tool_call>"],
    ['a forgotten bracket', `<tool_call>{"name": "calculator", "arguments": ${whole}\n</tool_call>`],
    ['ReAct', `Action: calculator\nAction Input: ${whole}\nObservation: 42\nThought: I know it.`],
    [
      'ReAct after a thought',
      `I multiply.\n\nAction: calculator\nAction Input:\n\`\`\`json\n${whole}\n\`\`\``,
    ],
    ['bare Python', 'calculator(a=6, b=7)'],
    ['Python with JSON', `calculator(${whole})`],
    ['ReAct in Python', 'Action: calculator(a=6, b=7)'],
    ['gpt-oss without its tokens', `assistantcommentary to=functions.calculator json${whole}`],
    ['LangChain', `{"action": "calculator", "action_input": ${whole}}`],
    ['a packed call', JSON.stringify({ function_call: { name: 'calculator', arguments: whole } })],
  ])('reads a call by %s', (_, text) => {
    const calls = readWrittenCalls(text, tools)
    expect(calls?.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([
      ['calculator', { a: 6, b: 7 }],
    ])
  })

  it('reads texts, lists and escapes of Python', () => {
    const text = String.raw`[calculator(a='it\'s "6"', b=["x\n", {"y": [True, None, -1.5]}])]`
    expect(
      JSON.parse(readWrittenCalls(text, [{ ...tools[0], input_schema: {} } as ModelTool])?.[0]?.input ?? ''),
    ).toEqual({
      a: 'it\'s "6"',
      b: ['x\n', { y: [true, null, -1.5] }],
    })
  })

  it.each([
    ['blanks', `{"name":"calculator","arguments":${whole}} {"name":"calculator","arguments":${whole}}`],
    ['nothing', `{"name":"calculator","arguments":${whole}}{"name":"calculator","arguments":${whole}}`],
    [
      'line breaks, each on several lines',
      Array(2)
        .fill(JSON.stringify({ name: 'calculator', arguments: { a: 6, b: 7 } }, null, 2))
        .join('\n'),
    ],
    [
      'marks of their own',
      Array(2).fill('<|tool_call_start|>[calculator(a=6, b=7)]<|tool_call_end|>').join('\n'),
    ],
  ])('reads several calls that are separated by %s', (_, text) => {
    const calls = readWrittenCalls(text, tools)
    expect(calls?.map(({ input }) => JSON.parse(input))).toEqual([
      { a: 6, b: 7 },
      { a: 6, b: 7 },
    ])
  })

  it.each(['{"name":"calculator"}', '{"name":"calculator","arguments":null}'])(
    'reads a call without arguments: %s',
    (text) => {
      expect(readWrittenCalls(text, tools)).toMatchObject([{ name: 'calculator', input: '{}' }])
    },
  )

  it('returns null when the text names no offered tool', () => {
    expect(readWrittenCalls('{"name":"Anna","arguments":{}}', tools)).toBeNull()
    expect(readWrittenCalls('{"name":"Anna","age":7}', tools)).toBeNull()
  })
})

describe('createThoughtSplitter', () => {
  const read = (pieces: string[], startsInThought = false) => {
    const splitter = createThoughtSplitter(startsInThought)
    let text = ''
    let thought = ''
    for (const part of [...pieces.flatMap(splitter.push), ...splitter.end()]) {
      if (part.type === 'rethought') {
        thought += text
        text = ''
      } else if (part.type === 'text') text += part.text
      else if (part.type === 'retold') thought = ''
      else thought += part.text
    }
    return { text: text.trim(), thought: thought.trim() }
  }
  it.each([
    ['between marks', ['<think>\nSo it ', 'is 4.\n</th', 'ink>\n\nFour.'], false],
    ['before a closing mark alone', ['So it is', ' 4.\n</think>\n\nFour.'], false],
    ['of a model that is known to begin in thought', ['So it is 4.', '\n</think>\n\nFour.'], true],
    ['between other marks', ['[THINK]So it is 4.[/THINK]Four.'], false],
    [
      'of gpt-oss',
      ['<|channel|>analysis<|message|>So it is 4.<|end|><|start|>assistant<|channel|>final<|message|>Four.'],
      false,
    ],
    [
      'of gpt-oss in pieces',
      [
        '<|channel|>ana',
        'lysis<|message|>So it is 4.<|end|><|start|>assi',
        'stant<|channel|>final<|message|>Four.',
      ],
      false,
    ],
    [
      'of gpt-oss after its role',
      [
        '<|start|>assistant<|channel|>analysis<|message|>So it is 4.<|end|>',
        '<|start|>assistant<|channel|>final <|constrain|>JSON<|message|>Four.',
      ],
      false,
    ],
    ['of gpt-oss without its tokens', ['ana', 'lysisSo it is 4.assis', 'tantfinalFour.'], false],
    ['of Command A', ['<|START_THINKING|>So it is 4.<|END_THINKING|><|START_RESPONSE|>Four.'], false],
    ['of Gemma 4', ['<|channel>thought\nSo it is 4.<channel|>Four.'], false],
    ['of Apertus', ['<|inner_prefix|>So it is 4.<|inner_suffix|>Four.'], false],
    [
      'of OpenThinker',
      ['<|begin_of_thought|>So it is 4.<|end_of_thought|>\n<|begin_of_solution|>Four.'],
      false,
    ],
    ['before an answer in its own mark', ['<think>So it is 4.</think>\n<ans', 'wer>Four.'], false],
    ['before the closing mark of Magistral alone', ['So it is 4.[/TH', 'INK]Four.'], false],
    ['before another closing mark alone', ['So it is 4.</thought>Four.'], false],
  ])('separates thoughts %s', (_, pieces, starts) => {
    expect(read(pieces, starts)).toEqual({ text: 'Four.', thought: 'So it is 4.' })
  })

  it('keeps a mark in code, and an answer of a model that did not think', () => {
    expect(read(['Write `</think>` at the end.']).text).toBe('Write `</think>` at the end.')
    expect(read(['Four.'], true).text).toBe('Four.')
  })

  it.each([
    ['a pair of marks inside', 'It is 4, <think>not a thought</think> and </think> stray.'],
    ['a pair of marks on lines of their own', 'Use:\n<thinking>\nplan\n</thinking>\nThen answer.'],
    ['an answer element', '<answer>Four.</answer>'],
    ['a first word that is a mark', 'analysis of the case: four.'],
    ['an opening mark and code', 'A <think> tag, closed by `</think>`.'],
  ])('keeps an answer with %s', (_, text) => {
    expect(read([text])).toEqual({ text, thought: '' })
    expect(read([...text])).toEqual({ text, thought: '' })
  })

  it.each([
    '<|im_start|>assistant\nFour.',
    '<bos>Four.',
    '<|start_header_id|>assistant<|end_header_id|>\n\nFour.',
  ])('drops the beginning of a chat template: %s', (text) => {
    expect(read([text])).toEqual({ text: 'Four.', thought: '' })
    expect(read([...text])).toEqual({ text: 'Four.', thought: '' })
  })

  it('separates thoughts that quote an opening mark', () => {
    const pieces = ['The tag `<think>` is meant.', '\n</think>\n\nFour.']
    expect(read(pieces)).toEqual({ text: 'Four.', thought: 'The tag `<think>` is meant.' })
  })
})

describe('createEndTrimmer', () => {
  const read = (...pieces: string[]) => {
    const trimmer = createEndTrimmer()
    return pieces.map(trimmer.push).join('') + trimmer.end()
  }
  it.each([
    ['in one piece', ['Four.<|eot_id|>']],
    ['in pieces', ['Four.', '<|im_', 'end|>', '\n']],
    ['of several templates', ['Four.', '</s>', ' <|endoftext|>']],
    ['of DeepSeek', ['Four.<｜end▁of▁', 'sentence｜>']],
    ['of the next turn', ['Four.<|im_end|>\n<|im_start|>']],
    ['of an answer whose beginning was dropped', ['Four.</ans', 'wer>']],
  ])('removes marks of chat templates: %s', (_, pieces) => {
    expect(read(...pieces).trim()).toBe('Four.')
  })

  it.each([
    ['The mark <|im_end|> ends a turn.'],
    ['It is `<|im_end|>`'],
    ['Write `<|im_end|>'],
    ['<s>old</s>'],
    ['<answer>old</answer>'],
    ['2 < 3 and 3 >'],
    ['a <b'],
  ])('keeps “%s” unchanged', (text) => {
    expect(read(text)).toBe(text)
    expect(read(...text)).toBe(text)
  })
})
