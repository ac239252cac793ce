import { readToolError } from '#shared/tools/tools/tool-errors.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { describeCall, type ToolCall, type ToolOutcome } from './call.ts'
import type { LoadedTool } from './load-tools.ts'

/** Tells whether a call failed because its person has to connect an account, and somebody can be asked to. */
export function mayAskSignIn({ input }: RunContext, tool: LoadedTool | null, outcome: ToolOutcome): boolean {
  if (outcome.ok || !tool?.made?.account || input.standalone || input.visitor) return false
  return readToolError(outcome.error)?.code === 'not_connected'
}

/**
 * Asks the person of a run to connect the account of a tool. The run rests until they have done so or skipped the call.
 * Returns whether the call is worth another attempt.
 */
export async function askSignIn(run: RunContext, tool: LoadedTool | null, call: ToolCall): Promise<boolean> {
  const { contract, made } = tool ?? {}
  if (!contract || !made?.account) return false
  const page = made.kind === 'mcp' ? `/tools/servers/${made.setId}` : `/tools/${contract.id}`
  const { input } = await run.ask(`sign_in:${call.key}`, {
    ...{ kind: 'sign_in', input_types: ['boolean'], skippable: true },
    prompt: `Sign in at ${made.account}, so that “${contract.name}” can run.`,
    tool: { ...describeCall(contract, call), account: { service: made.account, page } },
  })
  return input === true
}
