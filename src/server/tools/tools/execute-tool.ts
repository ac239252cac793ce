import type { ToolContract } from '#shared/tools/tools/tool.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { createClassGate, TOOLS, WEB } from '../../platform/access/classes/classes.ts'
import type { Leaf, RunContext, StepOptions } from '../../runs/runs/runs.ts'
import { findNeededApproval, type NeededApproval } from '../approvals/approvals.ts'
import { type Gate, readBefore } from '../outward/outward.ts'
import { parseArguments } from './arguments.ts'
import { askLeave } from './ask-leave.ts'
import { askSignIn, mayAskSignIn } from './ask-sign-in.ts'
import { describeCall, readArguments, type ToolCall, type ToolOutcome } from './call.ts'
import { draftCall, isForbiddenNow } from './draft-call.ts'
import { keepInput } from './inputs.ts'
import type { LoadedTool } from './load-tools.ts'
import { type KeptOutcome, keepResult, readOutcome } from './results.ts'
import { storeOutcome } from './store.ts'
import { SKIPPED, settleAction, type ToolKit, workAtOnce, workInSteps } from './work.ts'

/**
 * The only way to run a tool: asks for approval if the policy or the rule for outward calls requires it, validates the
 * input, shows live progress, limits the time, and records the result as one step. Never throws for a tool's errors.
 * Without a `gate`, everything read in the run counts as read before the call.
 * @throws database errors while reading a large result
 */
export async function executeTool(
  kit: ToolKit,
  run: RunContext,
  call: ToolCall,
  gate?: Gate,
): Promise<ToolOutcome> {
  // The run must not be parked by another call's question before this one asks.
  const [loaded, known, approval] = await run.look(`call:${call.key}`, async () => {
    const tool = await findFrozen(kit, run, call.tool_id)
    const called = { id: call.tool_id, target: tool?.made?.target ?? null }
    return [
      tool,
      gate ?? { read: readBefore(run, [call], await kit.tools.pure()) },
      await findNeededApproval(kit.db, run.input.user_id, called),
    ] as const
  })
  // A disabled tool does not ask for approval.
  const asking = isOff(loaded) ? null : loaded
  const drafted = asking?.contract.draft
    ? await draftCall(kit, run, asking, call)
    : { ok: true as const, call }
  if (!drafted.ok) return refuse(run, loaded, call, drafted)
  const leave = await askLeave(kit, run, asking, drafted.call, known, approval)
  if (!leave.ok) return refuse(run, loaded, call, leave)
  const decides = whoRepeats(approval)
  const first = await runCall(kit, run, { loaded, call: leave.call, decides })
  const again = !first.ok && first.signs_in && (await askSignIn(run, loaded, leave.call))
  const kept = again ? await runCall(kit, run, { loaded, call: leave.call, decides }, ':signed_in') : first
  const outcome = await readOutcome(kit.db, run, kept)
  return leave.changed && outcome.ok ? { ...outcome, changed: readArguments(leave.call) } : outcome
}

type Calling = { loaded: LoadedTool | null; call: ToolCall; decides: StepOptions['decides'] }

/** Returns who decides whether an interrupted call is repeated, if its person does not. */
const whoRepeats = (approval: NeededApproval | null): StepOptions['decides'] =>
  approval?.isPossible ? approval.question : approval && 'nobody'

/** Records why a call is not made. */
async function refuse<Refusal extends ToolOutcome>(
  run: RunContext,
  loaded: LoadedTool | null,
  call: ToolCall,
  refusal: Refusal,
): Promise<Refusal> {
  const say = createSpeaker(loaded?.contract ?? null, call)
  await run.step(`tool:${call.key}`, async (leaf) => settleCall(leaf, call, say, refusal))
  return refusal
}

/**
 * A durable tool is a scope of steps whose last one is its outcome; any other tool is one step. `attempt` ends the keys of a
 * second attempt, which does not ask for an account again.
 */
async function runCall(
  kit: ToolKit,
  run: RunContext,
  { loaded, call, decides }: Calling,
  attempt: '' | ':signed_in' = '',
): Promise<KeptOutcome> {
  const key = `tool:${call.key}${attempt}`
  const contract = loaded?.contract ?? null
  const say = createSpeaker(contract, call)
  const settle = (leaf: Leaf, outcome: ToolOutcome): KeptOutcome => {
    const kept = settleCall(leaf, call, say, outcome)
    return !kept.ok && attempt === '' && mayAskSignIn(run, loaded, outcome)
      ? { ...kept, signs_in: true }
      : kept
  }
  const checked = await run.look(`check:${call.key}${attempt}`, () => checkCall(kit, run, loaded, call))
  if ('error' in checked)
    return run.step(key, async (leaf) => settle(leaf, { ok: false, error: checked.error }))
  const { tool, input } = checked
  const job = { kit, run, call, say, tool, input, decides }
  if (tool.contract.durable) {
    const worked = run.isDone(key) ? null : await run.scope(key, (scope) => workInSteps(job, scope))
    return run.step(key, async (leaf) => {
      for (const body of worked?.unsaid ?? []) leaf.emit(body)
      return settle(leaf, worked?.outcome ?? NOT_RUN)
    })
  }
  const settleEarlier = async () => {
    const found = await settleAction(job)
    return typeof found === 'string' ? found : async (leaf: Leaf) => settle(leaf, found)
  }
  return run.step(key, async (leaf) => settle(leaf, await workAtOnce(job, leaf)), {
    repeatable: tool.contract.repeatable,
    ...{ tool: describeCall(contract, call), decides },
    ...(tool.contract.draft && { settle: settleEarlier }),
    skipped: async (leaf) => {
      leaf.emit(say(keepInput(call.execution_id, input)))
      return settle(leaf, { ok: false, error: SKIPPED })
    },
  })
}

/** Placeholder for an outcome that is read from its record. */
const NOT_RUN: ToolOutcome = { ok: false, error: '' }

/** Returns the tool of a call in the version the run began with; null if the person may no longer use it. */
function findFrozen(kit: ToolKit, { input }: RunContext, toolId: string): Promise<LoadedTool | null> {
  const frozen = input.tools.find(({ id }) => id === toolId)
  return kit.tools.find(toolId, input.user_id, frozen?.version)
}

/** The tool was switched off after its run began. */
const isOff = (tool: LoadedTool | null): boolean => tool?.made?.isOn === false

type Checked = { tool: LoadedTool; input: unknown } | { error: string }

async function checkCall(
  { db, grants }: ToolKit,
  run: RunContext,
  tool: LoadedTool | null,
  call: ToolCall,
): Promise<Checked> {
  const closed = await grants.closedTo(run.input.user_id)
  if (closed.has('tool', call.tool_id)) return { error: toolError('closed', { tool: call.tool_id }) }
  if (tool && isOff(tool)) return { error: toolError('off', { tool: tool.contract.name }) }
  const isOffered = run.input.tools.some(({ id, policy }) => id === call.tool_id && policy !== 'never')
  if (!tool || !isOffered) return { error: toolError('unknown', { tool: call.tool_id }) }
  if (tool.contract.draft && (await isForbiddenNow(db, run, tool)))
    return { error: toolError('forbidden_action', { tool: tool.contract.name }) }
  const parsed = parseInput(tool.contract, call)
  if ('error' in parsed) return parsed
  const refusal = await refusalOfClass(db, tool)
  return refusal === null ? { tool, input: parsed.value } : { error: refusal }
}

/** Returns why a call that leaves the installation may not carry the texts of the run; null if it may. */
async function refusalOfClass(db: ToolKit['db'], { contract, made }: LoadedTool): Promise<string | null> {
  if (!made && !contract.sends) return null
  const receiver = made ? { id: TOOLS, name: contract.name } : { id: WEB, name: contract.name }
  return createClassGate(db, receiver).explain()
}

function settleCall(leaf: Leaf, call: ToolCall, say: Speaker, outcome: ToolOutcome): KeptOutcome {
  leaf.together((trx) => storeOutcome(trx, call, outcome))
  const { ok, ...kept } = outcome.ok ? keepResult(call.execution_id, outcome.result) : outcome
  leaf.afterwards(say({ status: ok ? 'complete' : 'error', ...kept }))
  return { ok, ...kept } as KeptOutcome
}

type Speaker = ReturnType<typeof createSpeaker>

function createSpeaker(contract: ToolContract | null, call: ToolCall) {
  const { execution_id: tool_execution_id, tool_id } = call
  const tool_name = contract?.name ?? tool_id
  return (data: Record<string, unknown>) => ({
    event: 'tool_update' as const,
    ...{ tool_execution_id, tool_id, tool_name, type: tool_id, data },
  })
}

/** Maximum errors reported. A model fixes the first ones first, and thousands of elements may be wrong. */
const MAX_ISSUES = 10

function parseInput(contract: ToolContract, call: ToolCall): { value: unknown } | { error: string } {
  const given = readArguments(call)
  if (given === undefined) return { error: toolError('not_json') }
  const { value, errors } = parseArguments(contract, given)
  if (errors.length === 0) return { value }
  const issues = errors.slice(0, MAX_ISSUES).map(({ path, message }) => `${path} ${message}`)
  return { error: toolError('invalid', { issues: issues.join('; ') }) }
}
