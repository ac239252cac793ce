import * as z from 'zod'
import type { FieldError } from '#shared/platform/errors.ts'
import type { ToolContract } from '#shared/tools/tools/tool.ts'
import { describeIssues } from '../../platform/http/plain-issues.ts'
import type { Tools } from './load-tools.ts'

type Checked = { value: unknown; errors: [] } | { value: null; errors: FieldError[] }

/** Parses arguments by a tool's contract. Returns them, or up to five errors. */
export function parseArguments(contract: ToolContract, given: unknown): Checked {
  const parsed = z.core.safeParse(contract.input, given)
  if (parsed.success) return { value: parsed.data, errors: [] }
  const errors = describeIssues(parsed.error.issues.slice(0, 5), given).map(({ path, message }) => ({
    path: path || 'input',
    message,
  }))
  return { value: null, errors }
}

type Called = { toolId: string; userId: string; version?: number | undefined }

/** Does the same for a tool by its id, as its person may use it. Arguments of a missing tool are not checked. */
export async function checkArguments(
  tools: Tools,
  { toolId, userId, version }: Called,
  given: unknown,
): Promise<Checked> {
  const loaded = await tools.find(toolId, userId, version)
  return loaded ? parseArguments(loaded.contract, given) : { value: given, errors: [] }
}
