import { AppError } from '#shared/errors.ts'
import { findAllowed } from '../access/access.ts'
import { toJson } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/serve.ts'
import { executionId, type FrozenTool, startStandalone } from '../runs/runs.ts'
import { assertStorage } from '../storage/storage.ts'
import { checkArguments, keepInput, type LoadedTool, STANDALONE_CALL } from '../tools/tools.ts'
import { insertExecution } from './store.ts'

/** Beyond the tool's own limit: the time its run may take in all while nobody is asked. */
const SPARE_SECONDS = 30

type Wish = { inputs: Record<string, unknown>; session_id: string | null }

/**
 * Executes a tool because a person asks for it, which is their leave. Arguments are checked before anything is
 * stored. @throws AppError `invalid` with what is wrong by input, `rate_limited`, and for the session what its guard throws
 */
export async function startExecution(
  deps: Deps,
  user: Caller,
  { contract, schema, made }: LoadedTool,
  { inputs, session_id }: Wish,
) {
  if (session_id) await findAllowed(deps.db, user, 'write session', session_id)
  const { engine, tools } = deps
  const { errors } = await checkArguments(tools, { toolId: contract.id, userId: user.id }, inputs)
  const [first] = errors
  if (first) throw new AppError('invalid', `${first.path} ${first.message}.`, { errors })
  await assertStorage(deps, user.id)
  const { id, name, description, repeatable, limitSeconds } = contract
  const frozen = { id, name, description, repeatable, input_schema: schema, policy: 'auto' as const }
  const tool: FrozenTool = { ...frozen, ...(made && { version: made.version }) }
  const request = {
    ...{ user_id: user.id, language: user.language, tool, session_id },
    ...{ input: JSON.stringify(inputs), seconds: limitSeconds + SPARE_SECONDS },
  }
  const run = await startStandalone(engine, request, async (trx, runId) => {
    const execution = executionId(runId, STANDALONE_CALL)
    const row = { id: execution, run_id: runId, user_id: user.id, session_id, tool_id: id, status: 'pending' }
    await insertExecution(trx, { ...row, input: toJson(inputs) })
    const call = { tool_execution_id: execution, tool_id: id, tool_name: name, type: id }
    return [{ event: 'tool_update', ...call, data: { status: 'pending', ...keepInput(execution, inputs) } }]
  })
  return { tool_execution_id: executionId(run.id, STANDALONE_CALL), status: 'pending' as const }
}
