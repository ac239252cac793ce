import { AppError, type FieldError } from '#shared/platform/errors.ts'
import { findFault, readNumber, type ValueFault } from '#shared/runs/input-requests/field-value.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import {
  type FieldType,
  fieldsOf,
  type InputField,
  type InputFile,
  type InputType,
  interruptedAnswers,
} from '#shared/runs/runs/request.ts'

export type GivenInput = { input: unknown; input_type: InputType }
/** A validated answer: JSON parsed, files replaced by their stored descriptions. */
export type CheckedInput = GivenInput & { files: InputFile[] }
/** Returns a stored file of the answering user, or null. */
export type FindFile = (id: string) => Promise<InputFile | null>

/** Maximum length of a text answer, in characters. */
const MAX_TEXT = 1_000_000

/** Input types accepted for each kind of field. */
const sentAs: Record<FieldType, readonly InputType[]> = {
  text: ['text'],
  long_text: ['text'],
  choice: ['text'],
  date: ['text'],
  number: ['json', 'text'],
  json: ['json'],
  boolean: ['boolean', 'json'],
  file: ['file', 'document', 'image', 'audio', 'video'],
  document: ['file', 'document', 'image', 'audio', 'video'],
  image: ['image'],
  audio: ['audio'],
  video: ['video'],
}

const fileTypes: ReadonlySet<string> = new Set(['file', 'document', 'image', 'audio', 'video'])

/** Validates an answer against its request. @throws AppError `invalid` naming the field and the fault */
export async function checkInput(
  request: InputRequiredBlock,
  given: GivenInput,
  findFile: FindFile,
): Promise<CheckedInput> {
  if (given.input_type === 'skipped') return checkSkip(request)
  if (request.kind === 'interrupted') return { ...given, input: checkChoice(given.input), files: [] }
  const fields = fieldsOf(request)
  if (!fields) throw new AppError('invalid', 'This kind of request cannot be answered here.')
  const { input_type } = given
  if (input_type === 'composite' || input_type === 'multi')
    return { ...(await checkComposite(fields, given.input, findFile)), input_type: 'composite' }
  const field = fields.find(({ type }) => sentAs[type].includes(input_type))
  if (!field || (request.fields && request.fields.length > 1))
    throw new AppError('invalid', `input_type: This request does not take ${input_type}.`)
  const files: InputFile[] = []
  const type = typed.has(field.type) ? field.type : input_type
  return { input: await checkFieldValue({ ...field, type }, given.input, findFile, files), input_type, files }
}

function checkSkip({ skippable }: InputRequiredBlock): CheckedInput {
  if (!skippable) throw new AppError('invalid', 'input_type: This request cannot be skipped.')
  return { input: null, input_type: 'skipped', files: [] }
}

function checkChoice(input: unknown): string {
  const choice = interruptedAnswers.find((answer) => answer === input)
  if (!choice) throw new AppError('invalid', 'input: Answer retry, skip or stop.')
  return choice
}

async function checkComposite(fields: InputField[], input: unknown, findFile: FindFile) {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new AppError('invalid', 'input: A composite answer is an object of fields.')
  const files: InputFile[] = []
  const errors: FieldError[] = []
  // Models choose the field names. A map is safe from names such as `__proto__`.
  const checked = new Map<string, unknown>()
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find((one) => one.name === name)
    if (!field) errors.push({ path: `input.${name}`, message: 'There is no such field.' })
    else if (!isEmpty(value)) {
      try {
        checked.set(name, await checkFieldValue(field, value, findFile, files))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        errors.push({ path: `input.${name}`, message: error.detail.replace(/^input: /, '') })
      }
    }
  }
  for (const { name, required } of fields)
    if (required && !checked.has(name) && !errors.some(({ path }) => path === `input.${name}`))
      errors.push({ path: `input.${name}`, message: 'This field is required.' })
  const [first] = errors
  if (first) throw new AppError('invalid', `${first.path}: ${first.message}`, { errors })
  if (checked.size === 0) throw new AppError('invalid', 'input: Fill in at least one field.')
  return { input: Object.fromEntries(checked), files }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}

/** Fields whose value is text of a form. */
const typed: ReadonlySet<string> = new Set(['choice', 'number', 'date'])

async function checkFieldValue(
  field: Pick<InputField, 'options'> & { type: string },
  value: unknown,
  findFile: FindFile,
  files: InputFile[],
) {
  if (!typed.has(field.type)) return checkValue(field.type, value, findFile, files)
  const { type, options } = field as InputField
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT)
    throw new AppError('invalid', 'input: Write an answer.')
  const fault = findFault({ type, ...(options && { options }) }, text)
  if (fault) throw new AppError('invalid', `input: ${faults[fault]}`)
  return type === 'number' ? readNumber(text) : text.trim()
}

const faults: Record<ValueFault, string> = {
  choice: 'Choose one of the answers.',
  number: 'Write a number.',
  date: 'Write a date as year-month-day.',
}

async function checkValue(type: string, value: unknown, findFile: FindFile, files: InputFile[]) {
  if (fileTypes.has(type)) return checkFiles(type, value, findFile, files)
  if (type === 'boolean') return checkBoolean(value)
  if (type === 'json') return checkJson(value)
  if (typeof value !== 'string' || value.trim() === '')
    throw new AppError('invalid', 'input: Write an answer.')
  if (value.length > MAX_TEXT) throw new AppError('too_large', 'The answer is too long.')
  return value
}

function checkBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new AppError('invalid', 'input: Answer true or false.')
}

function checkJson(value: unknown): unknown {
  if (value === undefined || value === null || value === '')
    throw new AppError('invalid', 'input: Write an answer.')
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new AppError('invalid', 'input: This is not valid JSON.')
  }
}

/** Resolves one or more stored files by id. */
async function checkFiles(
  type: string,
  value: unknown,
  findFile: FindFile,
  files: InputFile[],
): Promise<InputFile | InputFile[]> {
  const given: unknown[] = Array.isArray(value) ? value : [value]
  if (given.length === 0 || given.length > 20) throw new AppError('invalid', 'input: Give 1 to 20 files.')
  const found: InputFile[] = []
  for (const one of given) {
    const file = await findFile(idOf(one))
    if (!file) throw new AppError('invalid', 'input: The file was not found. Upload it again.')
    const isOther = ['image', 'audio', 'video'].includes(type) && !file.media_type.startsWith(`${type}/`)
    if (isOther) throw new AppError('invalid', `input: ${file.name} is no ${type} file.`)
    found.push({ ...file, ...transcriptOf(one) })
  }
  files.push(...found)
  return Array.isArray(value) ? found : (found[0] as InputFile)
}

const MAX_TRANSCRIPT = 200_000

function transcriptOf(value: unknown): { transcript?: string } {
  if (typeof value !== 'object' || value === null || !('transcript' in value)) return {}
  const text = typeof value.transcript === 'string' ? value.transcript.trim().slice(0, MAX_TRANSCRIPT) : ''
  return text ? { transcript: text } : {}
}

/** Returns the file id, given alone or in an object; empty when there is none. */
function idOf(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'string' ? id : ''
}
