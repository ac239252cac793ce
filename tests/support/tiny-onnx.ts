import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  bytesField,
  type Field,
  messageField,
  numberField,
  textField,
  writeFields,
} from '../../src/server/models/models/built-in-embedding/protobuf.ts'

/** The vocabulary of the models below. */
export const tinyWords = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'rent', 'soup']

/**
 * Returns a model that maps each token to a row of a table; with `mean` to the mean of all rows (onnx.proto3). `output` is
 * the name of its output.
 */
export function tinyModel(table: number[][], { mean = false, output = 'last_hidden_state' } = {}): Buffer {
  const columns = table[0]?.length ?? 0
  const weights = messageField(5, [
    ...[numberField(1, table.length), numberField(1, columns), numberField(2, 1), textField(8, 'table')],
    bytesField(9, Buffer.from(Float32Array.from(table.flat()).buffer)),
  ])
  const axes = messageField(5, [textField(1, 'axes'), numberField(8, 1), numberField(20, 7)])
  const keep = messageField(5, [textField(1, 'keepdims'), numberField(3, 0), numberField(20, 2)])
  const graph = [
    node('Gather', ['table', 'input_ids'], mean ? 'each' : output),
    ...(mean ? [node('ReduceMean', ['each'], output, [axes, keep])] : []),
    ...[textField(2, 'graph'), weights],
    value(11, 'input_ids', 7, ['one', 'tokens']),
    value(12, output, 1, mean ? ['one', 'said'] : ['one', 'tokens', 'said']),
  ]
  return writeFields([numberField(1, 8), messageField(7, graph), messageField(8, [numberField(2, 13)])])
}

const value = (field: number, name: string, type: number, dims: string[]) =>
  messageField(field, [
    textField(1, name),
    messageField(2, [
      messageField(1, [
        numberField(1, type),
        messageField(
          2,
          dims.map((dim) => messageField(1, [textField(2, dim)])),
        ),
      ]),
    ]),
  ])

const node = (operator: string, inputs: string[], output: string, more: Field[] = []) =>
  messageField(1, [
    ...inputs.map((name) => textField(1, name)),
    textField(2, output),
    textField(4, operator),
    ...more,
  ])

/** Creates a model folder like an administrator would, with the checksums of its files. */
export function installModel(place: string, model: Buffer, more: Record<string, object> = {}): string {
  const special = (content: string, id: number) => ({ id, content, special: true })
  const tokenizer = {
    ...{ version: '1.0', truncation: null, padding: null, decoder: null },
    added_tokens: tinyWords.slice(0, 4).map(special),
    normalizer: { type: 'BertNormalizer', lowercase: true, clean_text: true, handle_chinese_chars: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    model: {
      ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tinyWords.map((word, at) => [word, at])),
    },
  }
  const files = Object.entries({ 'tokenizer.json': tokenizer, ...more })
  const all = [
    ['model.onnx', model] as const,
    ...files.map(([name, content]) => [name, asBytes(content)] as const),
  ]
  for (const [file, bytes] of all) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    writeFileSync(join(place, file), bytes)
    const sum = createHash('sha256').update(bytes).digest('hex')
    appendFileSync(join(place, 'SHA256SUMS'), `${sum}  ${file}\n`)
  }
  return place
}

const asBytes = (content: object) => Buffer.from(JSON.stringify(content))
