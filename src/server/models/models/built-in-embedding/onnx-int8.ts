import {
  bytesField,
  type Field,
  messageField,
  numberField,
  readFields,
  readNumbers,
  textField,
  writeFields,
} from './protobuf.ts'

/** Field numbers of ONNX messages (onnx.proto3). */
const inModel = { graph: 7 }
const inGraph = { node: 1, tensor: 5, input: 11, valueInfo: 13 }
const inNode = { input: 1, output: 2, name: 3, operator: 4, attribute: 5 }
const inTensor = { dims: 1, type: 2, name: 8, raw: 9 }
const inAttribute = { name: 1, int: 3, type: 20 }
const FLOAT = 1
const INT8 = 3
const INT_ATTRIBUTE = 2

/** Only tables with more rows hold word embeddings. */
const ROWS_OF_A_TABLE = 1_000

type Tensor = { name: string; dims: number[]; type: number; raw: Buffer }
type Node = { operator: string; inputs: string[]; outputs: string[] }
/** Replacement of a weight: the tensor to remove, the tensors and nodes to add. */
type Quantized = { replaced: string; tensors: Field[]; nodes: Field[] }

/**
 * Quantizes the weights of a model to 8 bits: matrices of multiplications with one scale per column, word tables with one scale per
 * row. The other factor is quantized at run time. The output is identical on every machine.
 * `range` is the largest weight: 127, or 63 for processors that add two products in 16 bits and would overflow.
 */
export function quantizeOnnx(model: Buffer, range: number): Buffer {
  const fields = readFields(model).map((field) =>
    field.number === inModel.graph ? messageField(inModel.graph, quantizeGraph(field.bytes, range)) : field,
  )
  return writeFields(fields)
}

function quantizeGraph(graph: Buffer, range: number): Field[] {
  const fields = readFields(graph)
  const tensors = new Map(
    fields.filter(({ number }) => number === inGraph.tensor).map(({ bytes }) => [nameOfTensor(bytes), bytes]),
  )
  const replaced = new Set<string>()
  const quantizedInputs = new Set<string>()
  const nodes: Field[] = []
  const added: Field[] = []
  for (const field of fields.filter(({ number }) => number === inGraph.node)) {
    const quantized = quantizeNode(readNode(field.bytes), tensors, range, quantizedInputs)
    if (quantized) {
      replaced.add(quantized.replaced)
      added.push(...quantized.tensors)
      nodes.push(...quantized.nodes)
    } else nodes.push(field)
  }
  const isKept = ({ number, bytes }: Field) =>
    number !== inGraph.node &&
    number !== inGraph.valueInfo &&
    !(number === inGraph.tensor && replaced.has(nameOfTensor(bytes))) &&
    !(number === inGraph.input && replaced.has(textOf(readFields(bytes), 1)))
  return [...nodes, ...fields.filter(isKept), ...added]
}

function quantizeNode(
  node: Node,
  tensors: Map<string, Buffer>,
  range: number,
  quantizedInputs: Set<string>,
): Quantized | null {
  const [first = '', second = ''] = node.inputs
  if (node.operator === 'MatMul') {
    const weight = floatMatrix(tensors.get(second))
    return weight && quantizeProduct(node, weight, range, quantizedInputs)
  }
  const table = node.operator === 'Gather' ? floatMatrix(tensors.get(first)) : null
  return table && (table.dims[0] ?? 0) > ROWS_OF_A_TABLE ? quantizeTable(node, table) : null
}

/** a × B as (a₈ × B₈) · scale of a · scale of each column of B. */
function quantizeProduct(
  { inputs: [input = ''], outputs: [output = ''] }: Node,
  weight: Tensor,
  range: number,
  quantizedInputs: Set<string>,
): Quantized {
  const [rows = 0, columns = 0] = weight.dims
  const { bytes, scales } = quantizeMatrix(floatsOf(weight), columns, range, (_, column) => column, columns)
  const b = names(weight.name)
  const a = names(input)
  const nodes = [
    node('MatMulInteger', [a.bytes, b.bytes, a.zero, b.zero], [`${output}_sums`]),
    node('Cast', [`${output}_sums`], [`${output}_floats`], [intAttribute('to', FLOAT)]),
    node('Mul', [a.scale, b.scale], [`${output}_scale`]),
    node('Mul', [`${output}_floats`, `${output}_scale`], [output]),
  ]
  if (!quantizedInputs.has(input))
    nodes.unshift(node('DynamicQuantizeLinear', [input], [a.bytes, a.scale, a.zero]))
  quantizedInputs.add(input)
  const tensors = [
    tensor(b.bytes, INT8, [rows, columns], bytes),
    tensor(b.scale, FLOAT, [columns], scales),
    tensor(b.zero, INT8, [columns], Buffer.alloc(columns)),
  ]
  return { replaced: weight.name, tensors, nodes }
}

/** Replaces the rows of a table with 8-bit rows, each times its scale. */
function quantizeTable({ inputs: [, chosen = ''], outputs: [output = ''] }: Node, table: Tensor): Quantized {
  const [rows = 0, columns = 0] = table.dims
  const { bytes, scales } = quantizeMatrix(floatsOf(table), columns, 127, (row) => row, rows)
  const t = names(table.name)
  const nodes = [
    node('Gather', [t.bytes, chosen], [`${output}_bytes`]),
    node('Cast', [`${output}_bytes`], [`${output}_floats`], [intAttribute('to', FLOAT)]),
    node('Gather', [t.scale, chosen], [`${output}_scale`]),
    node('Mul', [`${output}_floats`, `${output}_scale`], [output]),
  ]
  const tensors = [tensor(t.bytes, INT8, [rows, columns], bytes), tensor(t.scale, FLOAT, [rows, 1], scales)]
  return { replaced: table.name, tensors, nodes }
}

function quantizeMatrix(
  weights: Float32Array,
  columns: number,
  range: number,
  groupOf: (row: number, column: number) => number,
  groups: number,
): { bytes: Buffer; scales: Buffer } {
  const group = (at: number) => groupOf(Math.floor(at / columns), at % columns)
  const scales = new Float32Array(groups)
  for (let at = 0; at < weights.length; at++) {
    const size = Math.abs(weights[at] ?? 0)
    if (size > (scales[group(at)] ?? 0)) scales[group(at)] = size
  }
  scales.forEach((largest, at) => {
    scales[at] = (largest || 1) / range
  })
  const bytes = new Int8Array(weights.length)
  for (let at = 0; at < weights.length; at++) {
    const rounded = Math.round((weights[at] ?? 0) / (scales[group(at)] ?? 1))
    bytes[at] = Math.max(-range, Math.min(range, rounded))
  }
  return { bytes: Buffer.from(bytes.buffer), scales: Buffer.from(scales.buffer) }
}

const names = (of: string) => ({ bytes: `${of}_int8`, scale: `${of}_scale`, zero: `${of}_zero` })

function floatMatrix(bytes: Buffer | undefined): Tensor | null {
  if (!bytes) return null
  const tensor = readTensor(bytes)
  return tensor.type === FLOAT && tensor.dims.length === 2 ? tensor : null
}

/** Copies the weights: they may start at any address, floats only at multiples of four. */
function floatsOf({ name, dims, raw }: Tensor): Float32Array {
  const floats = new Float32Array(new Uint8Array(raw).buffer)
  const [rows = 0, columns = 0] = dims
  if (floats.length !== rows * columns) throw new Error(`${name} has ${floats.length} weights`)
  return floats
}

function readTensor(bytes: Buffer): Tensor {
  const fields = readFields(bytes)
  const dims = fields.filter(({ number }) => number === inTensor.dims).flatMap(readNumbers)
  const type = fields.filter(({ number }) => number === inTensor.type).flatMap(readNumbers)[0] ?? 0
  const raw = fields.find(({ number }) => number === inTensor.raw)?.bytes ?? Buffer.alloc(0)
  return { name: textOf(fields, inTensor.name), dims, type, raw }
}

function readNode(bytes: Buffer): Node {
  const fields = readFields(bytes)
  const texts = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ bytes }) => bytes.toString())
  return {
    operator: textOf(fields, inNode.operator),
    inputs: texts(inNode.input),
    outputs: texts(inNode.output),
  }
}

const nameOfTensor = (bytes: Buffer) => textOf(readFields(bytes), inTensor.name)
const textOf = (fields: Field[], wanted: number) =>
  fields.find(({ number }) => number === wanted)?.bytes.toString() ?? ''

function node(operator: string, inputs: string[], outputs: string[], attributes: Field[] = []): Field {
  return messageField(inGraph.node, [
    ...inputs.map((name) => textField(inNode.input, name)),
    ...outputs.map((name) => textField(inNode.output, name)),
    textField(inNode.name, `${operator}_${outputs[0]}`),
    textField(inNode.operator, operator),
    ...attributes,
  ])
}

function intAttribute(name: string, value: number): Field {
  return messageField(inNode.attribute, [
    textField(inAttribute.name, name),
    numberField(inAttribute.int, value),
    numberField(inAttribute.type, INT_ATTRIBUTE),
  ])
}

function tensor(name: string, type: number, dims: number[], raw: Buffer): Field {
  return messageField(inGraph.tensor, [
    ...dims.map((size) => numberField(inTensor.dims, size)),
    numberField(inTensor.type, type),
    textField(inTensor.name, name),
    bytesField(inTensor.raw, raw),
  ])
}
