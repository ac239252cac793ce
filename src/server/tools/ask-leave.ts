import { isDeepStrictEqual } from 'node:util'
import { Approval } from '#shared/input-requests/request.ts'
import type { ToolContract } from '#shared/tools/tool.ts'
import { toolError } from '#shared/tools/tool-errors.ts'
import type { RunContext } from '../runs/runs.ts'
import { parseArguments } from './arguments.ts'
import { describeCall, readArguments, type ToolCall } from './call.ts'

/** Whether a call may run, and what a person changed before it does. */
export type Leave = { ok: true; call: ToolCall; changed: boolean } | { ok: false; error: string }

/**
 * Asks a person whether a call may run, when the policy frozen for its tool says so. Nobody is asked about a call
 * that the tool would refuse anyway.
 */
export async function askLeave(
  run: RunContext,
  contract: ToolContract | null,
  call: ToolCall,
): Promise<Leave> {
  const frozen = run.input.tools.find(({ id }) => id === call.tool_id)
  const given = readArguments(call)
  if (!contract || frozen?.policy !== 'ask' || parseArguments(contract, given).errors.length > 0)
    return { ok: true, call, changed: false }
  const { input } = await run.ask(`approve:${call.key}`, {
    kind: 'approval',
    prompt: `Allow “${contract.name}” to run?`,
    input_types: ['json'],
    tool: {
      ...describeCall(contract, call),
      ...{ input: given, input_schema: frozen.input_schema },
      ...(frozen.version !== undefined && { tool_version: frozen.version }),
      ...(frozen.assistant && { assistant: frozen.assistant }),
    },
  })
  const { approved, arguments: changed, reason } = Approval.parse(input)
  if (!approved) return { ok: false, error: refusal(reason) }
  if (!changed || isDeepStrictEqual(changed, given)) return { ok: true, call, changed: false }
  return { ok: true, call: { ...call, input: JSON.stringify(changed) }, changed: true }
}

function refusal(reason: string | undefined): string {
  const why = reason?.trim()
  return why ? toolError('declined_because', { reason: why }) : toolError('declined')
}
