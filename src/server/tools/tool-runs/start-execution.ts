import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { freezeLibrary } from '../../knowledge/rag/rag.ts'
import { assertStorage } from '../../money/storage/storage.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { noteChat } from '../../platform/access/classes/classes.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { executionId, type FrozenTool, startStandalone } from '../../runs/runs/runs.ts'
import type { Deps } from '../deps.ts'
import { ruleOfInterface } from '../outward/outward.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'
import { checkArguments, keepInput, type LoadedTool, STANDALONE_CALL } from '../tools/tools.ts'
import { insertExecution } from './store.ts'

/** Seconds in addition to the tool's time limit for the whole run, excluding questions. */
const SPARE_SECONDS = 30

type Wish = {
  inputs: Record<string, unknown>
  session_id: string | null
  /** The tool whose interface requests it; null if a person does. */
  interface_of: string | null
}

/**
 * Executes a tool requested by a person, which counts as approval, or by an interface, which does not. Arguments are
 * checked before anything is stored. @throws AppError `invalid` with the errors by input, `not_available` for a disabled
 * tool, `rate_limited`, and errors of the session's guard
 */
export async function startExecution(
  deps: Deps,
  user: Caller,
  tool: LoadedTool,
  { inputs, session_id, interface_of }: Wish,
) {
  const { contract, schema, made } = tool
  if (made?.isOn === false) throw new AppError('not_available', toolError('off', { tool: contract.name }))
  const session = session_id ? await findAllowed(deps.db, user, 'write session', session_id) : null
  const policy = interface_of === null ? 'auto' : await policyFor(deps, user, tool, { interface_of, session })
  const { engine, tools } = deps
  const { errors } = await checkArguments(tools, { toolId: contract.id, userId: user.id }, inputs)
  const [first] = errors
  if (first) throw new AppError('invalid', `${first.path} ${first.message}.`, { errors })
  await assertStorage(deps, user.id)
  const { id, name, description, repeatable, limitSeconds } = contract
  const frozen = { id, name, description, repeatable, input_schema: schema, policy }
  const offered: FrozenTool = { ...frozen, ...(made && { version: made.version }) }
  const isByInterface = interface_of !== null
  // An interface may send what it was shown in the chat.
  if (isByInterface && session) await noteChat(deps.db, session.id)
  const request = {
    ...{ user_id: user.id, language: user.language, tool: offered, session_id },
    ...{ input: JSON.stringify(inputs), seconds: limitSeconds + SPARE_SECONDS },
    ...(interface_of !== null && { outward: await ruleOf(deps, user, tool, interface_of) }),
    ...(isByInterface && { by_interface: true }),
    ...(isByInterface && session ? await libraryOf(deps, user, session) : {}),
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

/** Returns the rule for a call requested by an interface. Data sent to its own server came from there. */
async function ruleOf(deps: Deps, user: Caller, { made, contract }: LoadedTool, interfaceOf: string) {
  const asking = await deps.tools.find(interfaceOf, user.id)
  const rule = await ruleOfInterface(deps, user.id, asking?.contract.name ?? contract.name)
  const isOwn = made !== undefined && made.setId === asking?.made?.setId
  return isOwn ? { ...rule, read: [] } : rule
}

/** Returns a chat's sources, including its assistant's documents. */
async function libraryOf(deps: Deps, user: Caller, session: Chat) {
  const assistant = await deps.assistants.findOfChat(user, session)
  return freezeLibrary(deps, user.id, session.id, assistant ?? { documents: [], workspaces: [] })
}

type Chat = { id: string; session_metadata: Record<string, unknown> }
type Asking = { interface_of: string; session: Chat | null | undefined }

/** @throws AppError `forbidden` for a tool the interface does not declare, and one that never runs */
async function policyFor(
  deps: Deps,
  user: Caller,
  tool: LoadedTool,
  { interface_of, session }: Asking,
): Promise<'auto' | 'ask'> {
  const { name } = tool.contract
  const asking = await deps.tools.find(interface_of, user.id)
  if (!asking || !mayAskFor(asking, tool))
    throw new AppError('forbidden', `This interface may not call ${name}: its tool does not declare it.`)
  const assistant = session ? await deps.assistants.findOfChat(user, session) : null
  const { policy, source } = (await loadPolicies(deps, user.id, assistant?.id ?? null))(tool)
  if (policy === 'never') throw new AppError('forbidden', `${name} is set to never run.`)
  // The calls that the author of an interface permits are not approved by the people it is shared with.
  const isDeclaredByOthers = asking.made?.userId !== user.id && asking.made?.setId !== tool.made?.setId
  return isDeclaredByOthers && source !== 'user' ? 'ask' : policy
}

/** An interface may request its own tool and those it declares; one of an MCP server may also request that server's other tools. */
function mayAskFor(
  { contract: { id, ui }, made }: LoadedTool,
  { contract, made: other }: LoadedTool,
): boolean {
  if (!ui) return false
  if (contract.id === id) return true
  return ui.kind === 'app' ? made?.setId === other?.setId : ui.calls.includes(contract.id)
}
