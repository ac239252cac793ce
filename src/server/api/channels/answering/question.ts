import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { type Approval, fieldsOf } from '#shared/runs/runs/request.ts'
import type { FoundRequest } from '../../../runs/input-requests/input-requests.ts'
import { parted } from './true-links.ts'

/** An answer that a button gives. `label` is a sentence of ours; a choice has its own words. */
export type Offered = {
  label: { sentence: 'approve' | 'decline' | 'yes' | 'no' | 'retry' | 'skip' | 'stop' } | { text: string }
  input: unknown
  input_type: 'boolean' | 'text' | 'json'
  isPrimary?: boolean
}

/** Buttons of one message. */
const MAX_OPTIONS = 20
/** Characters of a call that a question shows. */
const MAX_CALL = 2_000
/** Fields of a draft that name everyone who receives it. They are shown first. */
const RECIPIENTS = ['to', 'cc', 'bcc', 'guests']

/** Returns the answers that buttons can give, in their order; none for a question that is answered by typing, or in the product. */
export function offeredAnswers(request: InputRequiredBlock): Offered[] {
  switch (request.kind ?? 'question') {
    case 'approval':
      return [
        { label: { sentence: 'approve' }, input: approval(true), input_type: 'json', isPrimary: true },
        { label: { sentence: 'decline' }, input: approval(false), input_type: 'json' },
      ]
    case 'interrupted':
      return (['retry', 'skip', 'stop'] as const).map((answer) => ({
        ...{ label: { sentence: answer }, input: answer, input_type: 'text' },
      }))
    case 'question':
      return choices(request)
    default:
      return []
  }
}

/** Returns whether a button may give this answer. A call that is not shown whole is approved in the product only. */
export function isGivenByButton(request: InputRequiredBlock, choice: number): boolean {
  return request.kind !== 'approval' || choice !== APPROVE || showCall(request).isWhole
}
/** The number of the button that approves. */
const APPROVE = 0

/** Returns the lines of the call that a request is about, as it would be made, and whether they are all of it. */
export function showCall({ tool }: InputRequiredBlock): { lines: string[]; isWhole: boolean } {
  if (!tool) return { lines: [], isWhole: true }
  const hosts = tool.outward?.hosts.join(', ')
  const input = JSON.stringify(recipientsFirst(tool.input ?? {}), null, 1)
  const isWhole = input.length <= MAX_CALL
  const shown = parted(isWhole ? input : `${input.slice(0, MAX_CALL).toWellFormed()} …`).replaceAll(
    '```',
    "'''",
  )
  return { lines: [`${tool.tool_name}${hosts ? ` → ${hosts}` : ''}`, '```', shown, '```'], isWhole }
}

function recipientsFirst(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields = Object.entries(input)
  const isRecipient = ([name]: [string, unknown]) => RECIPIENTS.includes(name)
  return Object.fromEntries([...fields.filter(isRecipient), ...fields.filter((field) => !isRecipient(field))])
}

const approval = (approved: boolean): Approval => ({ approved })

function choices(request: InputRequiredBlock): Offered[] {
  const [field, ...more] = fieldsOf(request) ?? []
  if (!field || more.length > 0) return []
  if (field.type === 'boolean')
    return [
      { label: { sentence: 'yes' }, input: true, input_type: 'boolean', isPrimary: true },
      { label: { sentence: 'no' }, input: false, input_type: 'boolean' },
    ]
  const options = field.type === 'choice' ? (field.options ?? []) : []
  if (options.length > MAX_OPTIONS) return []
  return options.map((text) => ({ label: { text }, input: text, input_type: 'text' }))
}

/** Returns where a request is answered in the product. A named approver may not read the chat. */
export const pathOfRequest = ({ names_approver, session_id }: FoundRequest): string =>
  names_approver || session_id === null ? '/inbox' : `/chat/${session_id}`

/** Returns whether the next message of the person in the thread is the answer. */
export function isAnsweredByTyping({ request, names_approver }: FoundRequest): boolean {
  if (names_approver || (request.kind ?? 'question') !== 'question') return false
  const [field, ...more] = fieldsOf(request) ?? []
  return more.length === 0 && (field?.type === 'text' || field?.type === 'long_text')
}
