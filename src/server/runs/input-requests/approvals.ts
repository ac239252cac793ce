import { AppError } from '#shared/platform/errors.ts'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { Approval } from '#shared/runs/runs/request.ts'
import type { CheckCall } from '../run-deps.ts'
import type { GivenInput } from './check-input.ts'

const words = new Map<string, boolean>([
  ...['yes', 'true', 'approve'].map((word) => [word, true] as const),
  ...['no', 'false', 'reject'].map((word) => [word, false] as const),
])

/**
 * Parses the answer to an approval: yes or no in any type, or `{approved, arguments?, reason?}`. Changed arguments
 * must match the tool's schema. @throws AppError `invalid`
 */
export async function checkApproval(
  checkCall: CheckCall,
  tool: AskedTool | undefined,
  userId: string,
  { input }: GivenInput,
): Promise<GivenInput> {
  const approval = readApproval(input)
  if (approval.approved && approval.arguments && tool) {
    const { errors } = await checkCall(
      { toolId: tool.tool_id, userId, version: tool.tool_version },
      approval.arguments,
    )
    const [first] = errors
    if (first) {
      const named = errors.map(({ path, message }) => ({ path: `arguments.${path}`, message }))
      throw new AppError('invalid', `${first.path} ${first.message}.`, { errors: named })
    }
  }
  const { for_chat, ...plain } = approval
  // "For this chat" counts only where the user was shown what it means.
  const isOffered = approval.approved && for_chat === true && tool?.outward?.can_allow_chat === true
  return { input: isOffered ? { ...plain, for_chat } : plain, input_type: 'json' }
}

function readApproval(input: unknown): Approval {
  const word = words.get(wordOf(input))
  if (word !== undefined) return { approved: word }
  const parsed = Approval.safeParse(typeof input === 'string' ? parse(input) : input)
  if (!parsed.success) throw new AppError('invalid', 'input: Answer yes or no.')
  return parsed.data
}

function wordOf(input: unknown): string {
  if (typeof input === 'boolean') return String(input)
  return typeof input === 'string' ? input.trim().toLowerCase() : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
