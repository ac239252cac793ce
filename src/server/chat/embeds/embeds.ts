import type { Kysely } from 'kysely'
import { EMBED_PREFIX, VISIT_PREFIX } from '#shared/chat/embeds/addresses.ts'
import * as contract from '#shared/chat/embeds/embeds.ts'
import { AppError } from '#shared/platform/errors.ts'
import {
  assertSignedIn,
  countedAddress,
  hashSecret,
  newSecret,
  takeTurn,
} from '../../identity/accounts/accounts.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import { brandField, brandOf, brandOfCompany } from '../../identity/branding/branding.ts'
import { findAllowed, type Visitor } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { readShares } from '../assistants/assistants.ts'
import { deleteOldChats, insertEmbed, listEmbeds, revokeEmbed } from './store.ts'
import { insertVisitedChat, insertVisitor, readVisited } from './visit-store.ts'
import { findOpen } from './visitors.ts'

export { serveClosedPage } from './closed-page.ts'
export { countVisit } from './count-visit.ts'
export { createFraming } from './frame.ts'
export { enterAsVisitor, findOpenOf } from './guests.ts'
export { insertVisitedChat } from './visit-store.ts'
export { createFindVisitor } from './visitors.ts'

/** Visible part of a token: its prefix and four characters. */
const HINT_LENGTH = EMBED_PREFIX.length + 4

/** Serves embedded assistants: their tokens and visitors. */
export function serveEmbeds(server: Server, deps: Deps): void {
  serveTokens(server, deps)
  serveVisits(server, deps)
  deps.jobs.register('forget-visits', () => deleteOldChats(deps), { cron: '41 * * * *' })
}

function serveTokens(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.listEmbeds, { handle: ({ params }) => listEmbeds(deps, params.assistantId) })
  serve(server, contract.createEmbed, {
    handle: async ({ params: { assistantId }, user, body, request }) => {
      const assistant = await findAllowed(db, user, 'manage assistant', assistantId)
      const token = EMBED_PREFIX + newSecret()
      const kept = { hash: hashSecret(token), hint: token.slice(0, HINT_LENGTH) }
      const wish = { ...body, name: cleanCharacters(body.name), origins: [...new Set(body.origins)] }
      const embed = await db.transaction().execute(async (trx) => {
        await assertSignedIn(trx, user)
        const embed = await insertEmbed(trx, { userId: user.id, assistantId, at: clock.now() }, wish, kept)
        const companyId = await houseOf(trx, assistantId)
        const where = [...embed.origins, ...(embed.in_extension ? ['extension'] : [])].join(', ')
        const changes = [{ what: 'embed_sites', before: null, after: where }]
        const subject = `${assistant.name}: ${embed.name}`
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), { actor, did: 'embed.created', subject, companyId, changes })
        return embed
      })
      return { embed, token }
    },
  })
  serve(server, contract.revokeEmbed, {
    handle: async ({ params: { assistantId, embedId }, user, request }) => {
      const assistant = await findAllowed(db, user, 'manage assistant', assistantId)
      await db.transaction().execute(async (trx) => {
        const name = await revokeEmbed(trx, { id: embedId, assistantId, at: clock.now() })
        if (name === null) throw new AppError('not_found', 'Embed token not found')
        const companyId = await houseOf(trx, assistantId)
        const subject = `${assistant.name}: ${name}`
        await writeAudit(trx, clock.now(), {
          ...{ actor: actorOf(user, request), did: 'embed.revoked' as const, subject, companyId },
        })
      })
    },
  })
}

/** Returns the company whose administrators see the audit entry: the one the assistant is shared with. */
async function houseOf(trx: Kysely<Tables>, assistantId: string): Promise<string | null> {
  const [share] = await readShares(trx, assistantId)
  return share?.company_id ?? null
}

function serveVisits(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.beginVisit, {
    handle: async ({ body: { token, language }, request }) => {
      await takeTurn(deps, 'visit_address', countedAddress(request.ip))
      const open = await findOpen(deps, token)
      if (!open) throw new AppError('unauthenticated', 'This assistant is not open here any more.')
      const secret = VISIT_PREFIX + newSecret()
      const hash = hashSecret(secret)
      const visitor = await insertVisitor(db, { keyId: open.key_id, hash, language, at: clock.now() })
      return { visit: secret, ...(await showVisit(deps, visitor, open.payer.id)) }
    },
  })
  serve(server, contract.readVisit, {
    handle: ({ user }) => showVisit(deps, visitorOf(user).id, user.id),
  })
  serve(server, contract.beginVisitedChat, {
    handle: async ({ user }) => ({ session_id: await insertVisitedChat(db, user.id, visitorOf(user)) }),
  })
}

/** Returns what a visitor sees, in the look of the company of the assistant, or else of the person who made the token. */
async function showVisit(deps: Deps, visitorId: string, ownerId: string): Promise<contract.Visit> {
  const { visit, companyId } = await readVisited(deps.db, visitorId, deps.clock.now())
  const brand = companyId ? await brandOfCompany(deps, companyId) : await brandOf(deps, ownerId)
  return { ...visit, ...brandField(brand) }
}

/** Returns the visitor. The route's level admits no other principals. */
function visitorOf(user: Caller): Visitor['visitor'] {
  if (user.kind !== 'visitor') throw new AppError('forbidden', 'Only a visitor of an assistant has this.')
  return user.visitor
}
