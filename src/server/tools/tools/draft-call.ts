import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { prepareDraft } from '../actions/actions.ts'
import { loadPolicies } from '../decided-policies/decided-policies.ts'
import { parseArguments } from './arguments.ts'
import { readArguments, type ToolCall } from './call.ts'
import type { LoadedTool } from './load-tools.ts'
import type { ToolKit } from './work.ts'

type Drafted = { ok: true; call: ToolCall } | { ok: false; error: string }

const Recorded = z.union([
  z.object({ ok: z.literal(true), input: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
])

/**
 * Completes a call that acts outside, so that the person sees what it will do, and records the result: the approval and every attempt are
 * about the same draft. A call that the tool would refuse stays as it is.
 */
export async function draftCall(
  kit: ToolKit,
  run: RunContext,
  tool: LoadedTool,
  call: ToolCall,
): Promise<Drafted> {
  const { draft } = tool.contract
  const given = readArguments(call)
  const frozen = run.input.tools.find(({ id }) => id === call.tool_id)
  const { errors } = parseArguments(tool.contract, given)
  if (!draft || !frozen || frozen.policy === 'never' || errors.length > 0) return { ok: true, call }
  const recorded = await run.step(`draft:${call.key}`, async () => {
    try {
      const input = await prepareDraft(kit, run, draft, given as Record<string, unknown>)
      return { ok: true, input: JSON.stringify(input) }
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: error.detail }
      throw error
    }
  })
  const known = Recorded.parse(recorded)
  return known.ok ? { ok: true, call: { ...call, input: known.input } } : known
}

/** Returns the policy of an action: the strictest of the run's and those that its person and their companies have now. */
export async function policyNow(
  db: Kysely<Tables>,
  { input }: Pick<RunContext, 'input'>,
  tool: LoadedTool,
): Promise<'auto' | 'ask'> {
  const frozen = input.tools.find(({ id }) => id === tool.contract.id)
  const now = (await loadPolicies({ db }, input.user_id, null))(tool)
  return frozen?.policy === 'auto' && now.policy === 'auto' ? 'auto' : 'ask'
}

/** Returns whether the person or a company of theirs has forbidden an action since the run began. */
export async function isForbiddenNow(
  db: Kysely<Tables>,
  { input }: Pick<RunContext, 'input'>,
  tool: LoadedTool,
): Promise<boolean> {
  return (await loadPolicies({ db }, input.user_id, null))(tool).policy === 'never'
}
