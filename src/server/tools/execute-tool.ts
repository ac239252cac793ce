import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#shared/errors.ts'
import { parseJson } from '#shared/runs/join.ts'
import type { ToolContext, ToolContract } from '#shared/tools/tool.ts'
import { toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import type { Log } from '../log.ts'
import type { Leaf, RunContext } from '../runs/runs.ts'
import { parseArguments } from './arguments.ts'
import { askLeave, describeCall } from './ask-leave.ts'
import type { Tools } from './tools.ts'

/** A call as a model, or a person, asked for it. */
export type ToolCall = {
  /** Unique within the run. */
  key: string
  /** What the model calls it. */
  id: string
  execution_id: string
  tool_id: string
  /** Arguments as JSON text. */
  input: string
}

/**
 * What came of a call; an error is told to the model, which may try something else. `changed`: the arguments a
 * person put in place of the model's.
 */
export type ToolOutcome = { ok: true; result: unknown; changed?: unknown } | { ok: false; error: string }

type Kit = { tools: Tools; log: Log }

/**
 * The one way a tool is run: leave asked where the policy says so, input checked against the contract, progress
 * shown live, time limited, result recorded as one step. Never throws for what a tool does wrong.
 */
export async function executeTool(kit: Kit, run: RunContext, call: ToolCall): Promise<ToolOutcome> {
  const loaded = await kit.tools.find(call.tool_id)
  const contract = loaded?.contract ?? null
  const leave = await askLeave(run, contract, call)
  const settle = (leaf: Leaf, allowed: ToolCall, outcome: ToolOutcome) =>
    settleCall(leaf, allowed, createSpeaker(contract, allowed), outcome)
  if (!leave.ok) return run.step(`tool:${call.key}`, async (leaf) => settle(leaf, call, leave))
  const work = async (leaf: Leaf) => {
    const outcome = await attempt(kit, run, leaf, contract, leave.call, createSpeaker(contract, leave.call))
    return settle(leaf, leave.call, outcome)
  }
  const outcome = await run.step(`tool:${call.key}`, work, {
    repeatable: contract?.repeatable ?? true,
    tool: describeCall(contract, leave.call),
    skipped: async (leaf) => settle(leaf, leave.call, { ok: false, error: SKIPPED }),
  })
  return leave.changed && outcome.ok ? { ...outcome, changed: parseJson(leave.call.input) } : outcome
}

const SKIPPED = 'This call was interrupted, and the person went on without its result. It may have happened.'

function settleCall(leaf: Leaf, call: ToolCall, say: Speaker, outcome: ToolOutcome): ToolOutcome {
  leaf.together((trx) => storeOutcome(trx, call, outcome))
  const { ok } = outcome
  leaf.afterwards(
    say(ok ? { status: 'complete', result: outcome.result } : { status: 'error', error: outcome.error }),
  )
  return outcome
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

async function attempt(
  kit: Kit,
  run: RunContext,
  leaf: Leaf,
  contract: ToolContract | null,
  call: ToolCall,
  say: Speaker,
): Promise<ToolOutcome> {
  const isOffered = run.input.tools.some(({ id, policy }) => id === call.tool_id && policy !== 'never')
  if (!contract || !isOffered) return { ok: false, error: `There is no tool named ${call.tool_id}.` }
  const input = parseInput(contract, call.input)
  if ('error' in input) return { ok: false, error: input.error }
  leaf.emit(say({ status: 'processing', input: input.value }))
  const limit = AbortSignal.timeout(contract.limitSeconds * 1000)
  const signal = AbortSignal.any([leaf.signal, limit])
  const context: ToolContext = {
    executionId: call.execution_id,
    signal,
    language: run.input.language,
    phase: (phase, status, data) => leaf.emit(say({ phase, status, ...(data ? { data } : {}) })),
    partial: (content) =>
      leaf.emit({ event: 'tool_partial_update', tool_execution_id: call.execution_id, content }),
  }
  try {
    const work = await kit.tools.loadRun(contract.id)
    const output = await Promise.race([work(input.value, context), rejectOn(signal)])
    return { ok: true, result: z.core.parse(contract.output, output) }
  } catch (error) {
    leaf.signal.throwIfAborted()
    if (limit.aborted)
      return { ok: false, error: `${contract.name} took longer than ${contract.limitSeconds} seconds.` }
    if (error instanceof AppError) return { ok: false, error: error.detail }
    kit.log.error({ error, tool: contract.id }, 'A tool failed.')
    return { ok: false, error: `${contract.name} failed unexpectedly.` }
  }
}

/** A tool that does not look at its signal is left behind. */
function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function parseInput(contract: ToolContract, text: string): { value: unknown } | { error: string } {
  let given: unknown
  try {
    given = JSON.parse(text.trim() || '{}')
  } catch {
    return { error: 'The arguments are not valid JSON.' }
  }
  const { value, errors } = parseArguments(contract, given)
  if (errors.length === 0) return { value }
  const issues = errors.map(({ path, message }) => `${path}: ${message}`)
  return { error: `The arguments are not valid. ${issues.join('; ')}` }
}

async function storeOutcome(trx: Kysely<Tables>, call: ToolCall, outcome: ToolOutcome): Promise<void> {
  await trx
    .updateTable('tool_executions')
    .set({
      status: outcome.ok ? 'complete' : 'error',
      input: toJson(parseJson(call.input) ?? call.input),
      result: outcome.ok ? toJson(outcome.result) : null,
      error: outcome.ok ? null : outcome.error,
      finished_at: new Date(),
    })
    .where('id', '=', call.execution_id)
    .execute()
}
