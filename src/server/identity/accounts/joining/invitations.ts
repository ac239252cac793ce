import * as z from 'zod'
import type { Invitation, invite as inviteRoute } from '#shared/identity/accounts/joining.ts'
import { INVITATION_DAYS } from '#shared/identity/accounts/joining.ts'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, reaches } from '../../../platform/access/access.ts'
import type { Call } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { lockRoles } from '../../administration/administration.ts'
import { type Actor, writeAudit } from '../../audit/audit.ts'
import { findMailLook, type MailLook, wearLook } from '../../branding/branding.ts'
import { composeMail, harmlessName } from '../mails.ts'
import { takeTurn } from '../rate-limit-store.ts'
import { mailTexts } from '../texts.ts'
import { hashSecret, newSecret } from '../tokens/access-token-store.ts'
import {
  findInvitation,
  findOpenInvitation,
  insertInvitation,
  isCompany,
  type OpenInvitation,
  prolong,
  removeInvitation,
  renewToken,
  spendInvitation,
} from './invitation-store.ts'

const day = 86_400_000
const jobName = 'accounts.invitation'
const Payload = z.object({ id: z.string() })

type Inviter = Call<typeof inviteRoute>['user']
type Wish = Call<typeof inviteRoute>['body']

/**
 * Invites by mail; without addresses it creates one link, which is returned only once.
 * @throws AppError `forbidden` for a company or role above the inviter's own, `not_found`, `rate_limited`
 */
export async function inviteTo(
  deps: Platform,
  inviter: Inviter,
  actor: Actor,
  { company_id, role, emails, days }: Wish,
): Promise<{ items: Invitation[]; link: string | null }> {
  await assertMayInvite(deps, inviter, company_id, role)
  const now = deps.clock.now()
  const common = { company_id, role, invited_by: inviter.id, created_at: now }
  const expires_at = new Date(now.getTime() + days * day)
  const addresses = [...new Set(emails.map((email) => email.toLowerCase()))]
  if (addresses.length === 0) {
    await takeTurn(deps, 'invitation', inviter.id)
    const secret = newSecret()
    const made = { ...common, email: null, token_hash: hashSecret(secret), expires_at }
    const id = await record(deps, actor, made)
    return { items: await described(deps, [id]), link: linkOf(deps, secret) }
  }
  const ids: string[] = []
  for (const email of addresses) {
    await takeTurn(deps, 'invitation', inviter.id)
    const id = await record(deps, actor, { ...common, email, token_hash: null, expires_at })
    await deps.jobs.add(jobName, { id })
    ids.push(id)
  }
  return { items: await described(deps, ids), link: null }
}

/** Stores and audits an invitation. Returns its id. */
function record(
  { db }: Pick<Platform, 'db'>,
  actor: Actor,
  invitation: Parameters<typeof insertInvitation>[1],
): Promise<string> {
  const { company_id: companyId, role, email, created_at } = invitation
  return db.transaction().execute(async (trx) => {
    const id = await insertInvitation(trx, invitation)
    const changes = [{ what: 'role', before: null, after: role }]
    const entry = { actor, subject: email ?? '', subjectId: id, companyId, changes }
    await writeAudit(trx, created_at, { ...entry, did: 'invitation.created' })
    return id
  })
}

/** Registers the mail job. The secret is created with the mail, so that the queue holds none. */
export function registerInvitations(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { id } = Payload.parse(payload)
    const secret = newSecret()
    const to = await renewToken(deps.db, id, { tokenHash: hashSecret(secret), now: deps.clock.now() })
    if (!to) return
    const look = harmless(await findMailLook(deps.db, { companyId: to.company_id }))
    const texts = mailTexts(to.language === 'fr' ? 'fr' : 'en', look?.name)
    const names = { inviter: harmlessName(to.invited_by ?? ''), company: harmlessName(to.company) }
    const mail = { to: to.email, ...composeMail(texts, 'invitation', names, linkOf(deps, secret)) }
    await deps.mail.send(wearLook(look, mail))
  })
}

/** Returns a look without a name that a mail program may turn into a link: invitations go to people outside of the company. */
function harmless(look: MailLook | null): MailLook | null {
  return look?.name && harmlessName(look.name).includes('…') ? { ...look, name: null } : look
}

/** @throws AppError `conflict` for a link, or for an invitation that was used */
export async function sendAgain(deps: Platform, userId: string, id: string): Promise<void> {
  const invitation = await findInvitation(deps.db, id, deps.clock.now())
  if (!invitation?.email) throw new AppError('conflict', 'This invitation is a link: make a new one.')
  await takeTurn(deps, 'invitation', userId)
  const until = new Date(deps.clock.now().getTime() + INVITATION_DAYS * day)
  if (!(await prolong(deps.db, id, until))) throw wasUsed()
  await deps.jobs.add(jobName, { id })
}

/** @throws AppError `conflict` for one that was used */
export async function withdraw(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invitation = await findInvitation(trx, id, clock.now())
    if (!invitation || !(await removeInvitation(trx, id))) throw wasUsed()
    const entry = { actor, subject: invitation.email ?? '', subjectId: id, companyId: invitation.company.id }
    await writeAudit(trx, clock.now(), { ...entry, did: 'invitation.withdrawn' })
  })
}

/** Returns the details of an invitation. @throws AppError `token_invalid` */
export async function openInvitation(deps: Pick<Platform, 'db' | 'clock'>, token: string) {
  return findGiven(deps.db, token, deps.clock.now())
}

/**
 * Joins an invitation's company with an existing account. A mailed invitation requires an account with its address.
 * @throws AppError `token_invalid`, `forbidden`
 */
export async function joinByInvitation(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  user: { id: string; email: string },
  actor: Actor,
  token: string,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    const invitation = await findGiven(trx, token, now)
    assertForAddress(invitation, user.email)
    await spendInvitation(trx, invitation, user.id, now)
    const { company_id: companyId, company: subject, role } = invitation
    const changes = [{ what: 'role', before: null, after: role }]
    await writeAudit(trx, now, { actor, did: 'invitation.accepted', subject, companyId, changes })
  })
}

/** @throws AppError `token_invalid` */
export async function findGiven(
  db: Parameters<typeof findOpenInvitation>[0],
  token: string,
  now: Date,
): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(db, { tokenHash: hashSecret(token) }, now)
  if (invitation) return invitation
  throw new AppError('token_invalid', 'This invitation has ended or was used. Ask for a new one.')
}

/** Returns whether this invitation is valid for this address. */
export async function isInvited(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  token: string,
  email: string,
): Promise<boolean> {
  const invitation = await findOpenInvitation(db, { tokenHash: hashSecret(token) }, clock.now())
  return invitation !== null && isForAddress(invitation, email)
}

/** @throws AppError `forbidden` */
export function assertForAddress({ email }: Pick<OpenInvitation, 'email'>, own: string): void {
  if (isForAddress({ email }, own)) return
  throw new AppError('forbidden', 'This invitation is for another e-mail address.')
}

const isForAddress = ({ email }: Pick<OpenInvitation, 'email'>, own: string) =>
  !email || email.toLowerCase() === own.toLowerCase()

/** Checks that the inviter grants no more than they have. */
async function assertMayInvite({ db }: Platform, inviter: Inviter, companyId: string, role: Wish['role']) {
  if (reaches(inviter, 'super_admin')) {
    if (await isCompany(db, companyId)) return
    throw new AppError('not_found', 'Company not found')
  }
  if (!administeredBy(inviter).includes(companyId))
    throw new AppError('forbidden', 'You invite into companies you administer only.')
  if (role === 'super_admin') throw new AppError('forbidden', 'Only a super admin invites super admins.')
}

async function described({ db, clock }: Platform, ids: string[]): Promise<Invitation[]> {
  const found = await Promise.all(ids.map((id) => findInvitation(db, id, clock.now())))
  return found.filter((one) => one !== null)
}

const linkOf = (deps: Pick<Platform, 'publicUrl'>, secret: string) =>
  `${deps.publicUrl()}/login/invitation?token=${secret}`

const wasUsed = () => new AppError('conflict', 'This invitation was used already.')
