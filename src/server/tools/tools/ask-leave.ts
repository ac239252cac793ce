import { isDeepStrictEqual } from 'node:util'
import type { Outward } from '#shared/platform/outward.ts'
import { Approval } from '#shared/runs/runs/request.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import type { FrozenTool, RunContext } from '../../runs/runs/runs.ts'
import type { NeededApproval } from '../approvals/approvals.ts'
import type { Gate } from '../outward/outward.ts'
import { parseArguments } from './arguments.ts'
import { describeCall, readArguments, type ToolCall } from './call.ts'
import { policyNow } from './draft-call.ts'
import { describeOutward, needsApproval } from './leaving.ts'
import type { LoadedTool } from './load-tools.ts'
import type { ToolKit } from './work.ts'

/** Whether a call may run, with a person's changes to it. */
export type Leave = { ok: true; call: ToolCall; changed: boolean } | { ok: false; error: string }

/**
 * Asks a person whether a call may run, if a company names an approver for the tool, or if the tool's frozen policy or the run's rule for
 * outward calls requires it. A call that the tool would refuse anyway does not ask, nor does one that has run.
 */
export async function askLeave(
  kit: ToolKit,
  run: RunContext,
  tool: LoadedTool | null,
  call: ToolCall,
  gate: Gate,
  approval: NeededApproval | null,
): Promise<Leave> {
  const frozen = run.input.tools.find(({ id }) => id === call.tool_id)
  const given = readArguments(call)
  const unasked: Leave = { ok: true, call, changed: false }
  if (!tool || !frozen || frozen.policy === 'never') return unasked
  const { contract } = tool
  const policy = contract.draft
    ? await run.look(`policy:${call.key}`, () => policyNow(kit.db, run, tool))
    : frozen.policy
  const { value, errors } = parseArguments(contract, given)
  if (errors.length > 0) return unasked
  const needed = run.isDone(`tool:${call.key}`) ? null : approval
  const name = `approve:${call.key}`
  const outward = describeOutward(kit, run, contract, { input: value, policy, gate })
  if (needed?.isPossible === false && !run.isAsked(name))
    return { ok: false, error: toolError('no_approver') }
  if (policy === 'auto' && !needed && !run.isAsked(name)) {
    if (!outward) return unasked
    const known = { contract, version: frozen.version, value, given }
    const isNeeded = () => needsApproval(kit, run, call, outward, { ...known, gate })
    if (!(await run.look(name, isNeeded))) return unasked
    // Visitors of an embedded assistant cannot approve outward calls.
    if (run.input.visitor)
      return { ok: false, error: toolError('not_sent', { host: outward.hosts.join(', ') }) }
  }
  const leave = await ask(run, name, { contract, frozen, call, outward, approval: needed })
  if (!leave.ok) return leave
  // The person had been asked before their company named an approver.
  const second = `approver:${call.key}`
  if (!run.isAsked(second) && (!needed || leave.isByApprover)) return leave
  if (needed?.isPossible === false) return { ok: false, error: toolError('no_approver') }
  const last = await ask(run, second, { contract, frozen, call: leave.call, outward, approval: needed })
  return last.ok ? { ...last, changed: last.changed || leave.changed } : last
}

type Wish = {
  contract: LoadedTool['contract']
  frozen: FrozenTool
  call: ToolCall
  outward: Outward | null
  approval: NeededApproval | null
}

async function ask(
  run: RunContext,
  name: string,
  { contract, frozen, call, outward, approval }: Wish,
): Promise<Leave & { isByApprover?: boolean }> {
  const given = readArguments(call)
  const { input, by_default, by_approver } = await run.ask(name, {
    kind: 'approval',
    prompt: `Allow “${contract.name}” to run?`,
    input_types: ['json'],
    tool: {
      ...describeCall(contract, call),
      ...{ input: given, input_schema: frozen.input_schema },
      ...(frozen.version !== undefined && { tool_version: frozen.version }),
      ...(frozen.assistant && { assistant: frozen.assistant }),
      ...(outward && { outward }),
      ...(contract.draft && { draft: contract.draft }),
    },
    ...(approval?.isPossible && approval.question),
  })
  const isByApprover = by_approver === true
  const { approved, arguments: changed, reason } = Approval.parse(input)
  if (!approved && by_default) return { ok: false, error: toolError('not_approved_in_time') }
  if (!approved)
    return { ok: false, error: refusal(isByApprover || approval ? 'not_approved' : 'declined', reason) }
  if (!changed || isDeepStrictEqual(changed, given)) return { ok: true, call, changed: false, isByApprover }
  return { ok: true, call: { ...call, input: JSON.stringify(changed) }, changed: true, isByApprover }
}

function refusal(code: 'declined' | 'not_approved', reason: string | undefined): string {
  const why = reason?.trim()
  return why ? toolError(`${code}_because`, { reason: why }) : toolError(code)
}
