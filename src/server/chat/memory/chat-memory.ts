import * as contract from '#shared/chat/memory/memory.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { type LearnedVersion, listLearned, listProposals } from './fact-store.ts'
import { forgetFacts } from './forget-facts.ts'
import { changeSettings, changeSwitch, loadPolicy, providerOf, readSettings } from './memory-policy-store.ts'
import { findNewestReply, listUses } from './recall/use-store.ts'

/** Replies of a chat whose facts are listed, and proposals. */
const MAX_REPLIES = 200
const MAX_PROPOSALS = 20

/** Serves memory of a chat, and the switches and settings of memory. */
export function serveChatMemory(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.getChatMemory, {
    handle: ({ user, params }) => readChatMemory(db, user, params.sessionId),
  })
  serve(server, contract.forgetChat, {
    handle: async ({ user, params }) => ({ deleted: await forget(db, user, params.sessionId) }),
  })
  serve(server, contract.getMemorySettings, { handle: ({ user }) => readSettings(db, user) })
  serve(server, contract.changeMemorySettings, {
    handle: async ({ user, body: { switches = [], ...settings } }) => {
      for (const change of switches) await assertSwitch(deps, user, change)
      await db.transaction().execute(async (trx) => {
        await changeSettings(trx, user.id, settings)
        for (const change of switches) await changeSwitch(trx, user.id, change)
      })
      return readSettings(db, user)
    },
  })
}

/** @throws AppError `invalid` unless it names one thing, `not_found` and `forbidden` for a chat the caller may not read */
async function assertSwitch(
  { db, assistants }: Deps,
  user: Caller,
  { session_id, assistant_id, provider }: contract.MemorySwitch,
): Promise<void> {
  const named = [session_id, assistant_id, provider].filter((one) => one !== undefined)
  if (named.length !== 1)
    throw new AppError('invalid', 'A switch names one of a chat, an assistant and a provider.')
  if (session_id) await findAllowed(db, user, 'read session', session_id)
  if (assistant_id && (await assistants.findNames(user, [assistant_id])).length === 0)
    throw new AppError('not_found', 'Assistant not found')
}

async function readChatMemory(db: Database, user: Person, sessionId: string): Promise<contract.ChatMemory> {
  const { assistant, model_name } = await findNewestReply(db, sessionId)
  const policy = await loadPolicy(db, user, { sessionId, assistantId: assistant?.id ?? null })
  if (!policy) throw new AppError('not_found', 'Session not found')
  const provider = model_name && providerOf(model_name)
  const { account, chat, assistant: withAssistant, off_providers, project } = policy
  const isWith = provider === null || !off_providers.includes(provider)
  return {
    is_on: { account, chat: chat && policy.is_usual, assistant: withAssistant, provider: isWith },
    ...{ assistant, provider, project },
    used: await listUses(db, user, sessionId, MAX_REPLIES),
    proposals: await listProposals(db, user, sessionId, MAX_PROPOSALS),
    learned: countFacts(await listLearned(db, user, sessionId)),
  }
}

const countFacts = (versions: readonly LearnedVersion[]) => new Set(versions.map(({ of }) => of)).size

/** Deletes what a person told in a chat, with its traces in other chats. Returns the number of facts. */
function forget(db: Database, user: Person, sessionId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const versions = await listLearned(trx, user, sessionId)
    await forgetFacts(
      trx,
      versions.map(({ id }) => id),
    )
    return countFacts(versions)
  })
}
