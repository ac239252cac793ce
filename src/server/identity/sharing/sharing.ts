import * as contract from '#shared/identity/sharing/sharing.ts'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy } from '../../platform/access/access.ts'
import { type Call, type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Audit, auditBy, changed } from '../audit/audit.ts'
import { findReach, type Resolved, resolveRecipient } from './may-share.ts'
import { searchRecipients } from './recipient-store.ts'
import {
  countShares,
  insertShare,
  listShares,
  lockThing,
  removeShare,
  runsUnasked,
  type Shared,
  takeShare,
} from './store.ts'

export { findReach, resolveRecipient } from './may-share.ts'

type Db = Platform['db']

/** Serves the shares of assistants, tool sets and prompts. A share never reveals secrets: calls use those of the owner. */
export function serveSharing(server: Server, { db, clock }: Platform): void {
  const assistant = (id: string): Shared => ({ kind: 'assistant', id })
  const toolSet = (id: string): Shared => ({ kind: 'tool-set', id })
  const by = ({ user, request }: Parameters<typeof auditBy>[1]) => auditBy({ clock }, { user, request })

  serve(server, contract.listAssistantShares, {
    handle: ({ user, params }) => readShares(db, user, assistant(params.assistantId)),
  })
  serve(server, contract.shareAssistant, {
    handle: ({ user, params, body, request }) =>
      share(db, user, assistant(params.assistantId), body, by({ user, request })),
  })
  serve(server, contract.unshareAssistant, {
    handle: ({ user, params, request }) =>
      unshare(db, user, assistant(params.assistantId), params.assistantShareId, by({ user, request })),
  })
  serve(server, contract.listToolSetShares, {
    handle: ({ user, params }) => readShares(db, user, toolSet(params.toolSetId)),
  })
  serve(server, contract.shareToolSet, {
    handle: ({ user, params, body: { recipient }, request }) =>
      share(db, user, toolSet(params.toolSetId), { recipient, access: 'use' }, by({ user, request })),
  })
  serve(server, contract.unshareToolSet, {
    handle: ({ user, params, request }) =>
      unshare(db, user, toolSet(params.toolSetId), params.toolShareId, by({ user, request })),
  })
  const prompt = (id: string): Shared => ({ kind: 'prompt', id })
  serve(server, contract.listPromptShares, {
    handle: ({ user, params }) => readShares(db, user, prompt(params.promptId)),
  })
  serve(server, contract.sharePrompt, {
    handle: ({ user, params, body, request }) =>
      share(db, user, prompt(params.promptId), body, by({ user, request })),
  })
  serve(server, contract.unsharePrompt, {
    handle: ({ user, params, request }) =>
      unshare(db, user, prompt(params.promptId), params.promptShareId, by({ user, request })),
  })
  serve(server, contract.findRecipients, {
    handle: async ({ user, query: { q = '', limit, projects } }) =>
      searchRecipients(db, user, await findReach(db, user), { q, limit, withProjects: projects === 'true' }),
  })
}

async function readShares(db: Db, user: Caller, thing: Shared): Promise<contract.Shares> {
  const reach = await findReach(db, user)
  const items = await listShares(db, user, reach, thing)
  const may = {
    everybody: reach.anywhere,
    others: reach.anywhere || reach.companies.length > 0,
    projects: thing.kind === 'prompt',
  }
  return { items, may }
}

type Wish = Call<typeof contract.shareAssistant>['body']

/**
 * Adds a share, or changes its access. @throws AppError `not_found`, `forbidden` for the recipient, `invalid` for editing by
 * anyone but a company, `conflict` at the maximum
 */
async function share(db: Db, user: Caller, thing: Shared, { recipient, access }: Wish, audit: Audit) {
  if (access === 'edit' && recipient.who === 'everybody')
    throw new AppError('invalid', 'Everybody can get the right to use only.')
  if (access === 'edit' && recipient.who !== 'company' && thing.kind !== 'prompt')
    throw new AppError('invalid', 'Only a company can get the right to edit.')
  if (recipient.who === 'project' && thing.kind !== 'prompt')
    throw new AppError('invalid', 'Only prompts are shared with a project.')
  await db.transaction().execute(async (trx) => {
    const { name, user_id } = await lockThing(trx, thing)
    const to = await resolveRecipient(trx, user, await findReach(trx, user), recipient)
    if (to.person_id === user_id) throw new AppError('invalid', 'This person is the owner.')
    if (thing.kind === 'tool-set') await assertAsks(trx, user, thing.id, to)
    const before = await takeShare(trx, thing, to)
    if (before === null && (await countShares(trx, thing)) >= contract.MAX_SHARES)
      throw new AppError('conflict', `It has ${contract.MAX_SHARES} shares, the maximum. Remove one first.`)
    await insertShare(trx, thing, to, { access, sharedBy: user.id })
    const changes = changed(`shared with ${to.name}`, before, access)
    await audit(trx, { did: 'share.added', subject: name, subjectId: thing.id, changes })
  })
  return readShares(db, user, thing)
}

/** A decision to run without asking binds others only when an administrator shares it. @throws AppError `conflict` */
async function assertAsks(trx: Db, user: Caller, setId: string, { home }: Resolved) {
  if (home === null || administeredBy(user).includes(home) || !(await runsUnasked(trx, setId))) return
  throw new AppError(
    'conflict',
    'Some of its tools run without asking. Let them ask first, or have an administrator of the company share it.',
  )
}

/** @throws AppError `not_found`, `forbidden` for a share of others outside the caller's companies */
async function unshare(db: Db, user: Caller, thing: Shared, shareId: string, audit: Audit) {
  await db.transaction().execute(async (trx) => {
    const { name } = await lockThing(trx, thing)
    const shares = await listShares(trx, user, await findReach(trx, user), thing)
    const found = shares.find(({ id }) => id === shareId)
    if (!found) throw new AppError('not_found', 'This share does not exist any more.')
    if (!found.can_remove)
      throw new AppError('forbidden', 'Only the owner and administrators of that company end this share.')
    await removeShare(trx, thing, shareId)
    const changes = changed(`shared with ${found.name ?? found.who}`, found.access, null)
    await audit(trx, { did: 'share.removed', subject: name, subjectId: thing.id, changes })
  })
  return { message: 'The share was ended.' }
}
