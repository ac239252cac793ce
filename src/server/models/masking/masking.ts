import * as contract from '#shared/models/masking/masking.ts'
import { AppError } from '#shared/platform/errors.ts'
import { actorOf, changesBetween, writeAudit } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { ModelDeps } from '../model-deps.ts'
import { readValues } from './chat-values.ts'
import { maskedDetails } from './masked-details.ts'
import { countKinds } from './replacing/placeholders.ts'
import {
  findCompanyMasking,
  findMasked,
  findMaskedOf,
  findPolicies,
  findWritten,
  lockCompanyForMasking,
  storeChoice,
  upsertCompanyMasking,
} from './store.ts'

export { maskModels } from './mask-models.ts'
export { mergeMasking } from './merge-masking.ts'
export { withOrigin } from './origin.ts'
export { readMaskedChats } from './read-masked-chats.ts'

const unset: contract.CompanyMasking = { mode: 'off', kinds: contract.MaskKind.options, connections: {} }

/** Serves which personal details are replaced: the settings of companies, the choices of people, and what was replaced. */
export function serveMasking(server: Server, deps: ModelDeps): void {
  const { db, clock, models } = deps
  serve(server, contract.getCompanyMasking, {
    handle: async ({ params: { companyId } }) => {
      const found = new Map<string, contract.MaskedProvider>()
      for (const { provider, provider_name: name, local } of await models.list())
        if (!['atrium', 'local'].includes(provider)) found.set(provider, { provider, name, is_local: local })
      const providers = [...found.values()]
      return { ...((await findCompanyMasking(db, companyId)) ?? unset), providers }
    },
  })
  serve(server, contract.setCompanyMasking, {
    handle: ({ user, request, params: { companyId }, body }) =>
      db.transaction().execute(async (trx) => {
        const subject = await lockCompanyForMasking(trx, companyId)
        if (subject === undefined) throw new AppError('not_found', 'Company not found')
        const before = (await findCompanyMasking(trx, companyId)) ?? unset
        await upsertCompanyMasking(trx, companyId, body)
        const changes = changesBetween(describe(before), describe(body))
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), { actor, did: 'masking.changed', subject, companyId, changes })
      }),
  })
  serveChatMasking(server, deps)
}

function serveChatMasking(server: Server, deps: ModelDeps): void {
  const { db } = deps
  serve(server, contract.getChatMasking, {
    handle: async ({ user, params: { sessionId } }) => {
      const replies = await findMasked(db, sessionId)
      return {
        ...(await stateOf(deps, user.id, sessionId)),
        replies: replies.map(({ message_id, placeholders }) => ({
          message_id,
          counts: countKinds(placeholders),
        })),
      }
    },
  })
  serve(server, contract.chooseChatMasking, {
    handle: ({ user, params: { sessionId }, body: { is_on } }) =>
      db.transaction().execute((trx) => storeChoice(trx, user.id, sessionId, is_on)),
  })
  serve(server, contract.listMaskedDetails, {
    handle: async ({ user, params: { sessionId, messageId } }) => {
      const found = await findMaskedOf(db, { userId: user.id, sessionId, messageId })
      if (!found) return []
      const details = maskedDetails(await readValues(deps, sessionId), found.placeholders)
      return found.is_theirs ? details : writtenOnly(deps, sessionId, details)
    },
  })
}

/** Details that are looked for in the messages of a chat. */
const MAX_LOOKED_FOR = 500

/** Returns the details that a reader sees in the chat. The others come from what only the asker may read, such as their memory. */
async function writtenOnly({ db }: ModelDeps, sessionId: string, details: readonly contract.MaskedDetail[]) {
  const some = details.slice(0, MAX_LOOKED_FOR)
  const values = some.map(({ value }) => value)
  const written = await findWritten(db, sessionId, values)
  return some.filter(({ value }) => written.has(value))
}

/** Returns the strictest mode of the companies of a person, and whether details of a chat are replaced for them now. */
async function stateOf(
  { db }: ModelDeps,
  userId: string,
  sessionId: string,
): Promise<Pick<contract.ChatMasking, 'mode' | 'is_on'>> {
  const policies = await findPolicies(db, userId, sessionId)
  const modes = policies.map(({ mode }) => mode)
  const mode = modes.includes('on') ? 'on' : modes.includes('choice') ? 'choice' : 'off'
  return { mode, is_on: mode === 'on' || (mode === 'choice' && policies.some((one) => one.is_chosen)) }
}

const describe = ({ mode, kinds, connections }: contract.CompanyMasking) => ({
  mode,
  kinds: [...kinds].sort().join(', '),
  connections: Object.entries(connections)
    .map(([provider, isOn]) => `${provider}: ${isOn ? 'always' : 'never'}`)
    .sort()
    .join(', '),
})
