import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#shared/identity/accounts/accounts.ts'
import * as own from '#shared/identity/accounts/own-account.ts'
import { closedFeatures, reaches } from '../../platform/access/access.ts'
import { type Call, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { auditBy } from '../audit/audit.ts'
import { brandField, brandOf } from '../branding/branding.ts'
import { hiddenControls } from '../hidden-controls/hidden-controls.ts'
import { readShortcuts } from '../shortcuts/shortcuts.ts'
import { hasDueTerms } from '../terms/terms.ts'
import { disconnectSignOn, listSignOnConnections } from './connections.ts'
import { giveDevice, readDevice } from './device-store.ts'
import { registerDirectoryCheck } from './directory/check-people.ts'
import { listDirectories } from './directory/list-directories.ts'
import { serveDomains } from './domains/domains.ts'
import { isUnprovedAdministrator, registerHandOver } from './hand-over/hand-over.ts'
import { serveHelping } from './helping/helping.ts'
import { serveJoining } from './joining/joining.ts'
import { readSignUpRules } from './joining/policy.ts'
import { mustProveAddresses, registerMails, requestMail } from './mails.ts'
import { servePasskeys } from './passkeys/passkeys.ts'
import { changePassword, resetPassword } from './passwords/change-password.ts'
import { readPasswordRules, servePasswordPolicy } from './passwords/policy/password-policy.ts'
import { changeEmail, registerEmailChange, takeProvedEmail } from './profile/change-email.ts'
import { sendPicture, storePicture } from './profile/picture.ts'
import { dropPicture } from './profile/picture-store.ts'
import { updateProfile } from './profile/profile.ts'
import { countedAddress, countFailures, takeTurn } from './rate-limit-store.ts'
import { serveDirectories } from './scim/connect-directory.ts'
import { letIn } from './second-factor/let-in.ts'
import { type RecordOwn, recordOwn } from './second-factor/record-own.ts'
import { serveSecondFactor } from './second-factor/second-factor.ts'
import { signIn } from './sign-in.ts'
import { deviceOf, endSignIn, endSignIns, listSignIns, visitOf } from './sign-ins/sign-ins.ts'
import { browserSecret, createSignOut, listOffered, listProviders, serveSignOn } from './sign-on/sign-on.ts'
import { serveSignOnProviders } from './sign-on-providers/sign-on-providers.ts'
import { needsSetupCode } from './sign-up/setup-code.ts'
import { signUp } from './sign-up/sign-up.ts'
import {
  countAnnouncements,
  countUnseenAccesses,
  isEmptyInstallation,
  listCompanies,
  proveEmail,
  removeExpired,
} from './store.ts'
import { notice, requestLanguage } from './texts.ts'
import { endToken, lockAccount, type Recheck } from './tokens/access-token-store.ts'
import { assertConsumed, consumeOneTimeToken, invalidToken } from './tokens/one-time-token-store.ts'
import { readUser } from './user-store.ts'

export { createAuthenticate, createFindByToken, createFindSignIn, type OtherBearer } from './authenticate.ts'
export { requestMail } from './mails.ts'
export { mayEnter } from './may-enter.ts'
export { assertItIsThem } from './passwords/change-password.ts'
export { hashPassword } from './passwords/passwords.ts'
export { assertTurn, countedAddress, takeTurn } from './rate-limit-store.ts'
export { serveScim } from './scim/scim.ts'
export { letAdministratorIn } from './second-factor/let-administrator-in.ts'
export { readUserAgent } from './sign-ins/read-user-agent.ts'
export { visitOf } from './sign-ins/sign-ins.ts'
export { browserSecret, describeGoogle, keepBrowserSecret, passSignOnOn } from './sign-on/sign-on.ts'
export { createAccount } from './sign-up/create-account.ts'
export { nameSkeleton } from './sign-up/name-skeleton.ts'
export { readSetupCode } from './sign-up/setup-code.ts'
export { mailTexts, notice, requestLanguage } from './texts.ts'
export { assertSignedIn, hashSecret, lockAccount, newSecret } from './tokens/access-token-store.ts'
export { readUser, toUser, userColumns } from './user-store.ts'

/** Serves accounts: sign-up, sign-in, address proof, passwords and profile. */
export function serveAccounts(server: Server, deps: Platform): void {
  registerMails(deps)
  registerEmailChange(deps)
  registerHandOver(deps)
  deps.jobs.register('accounts.cleanup', () => removeExpired(deps), { cron: '17 * * * *' })
  serveTokens(server, deps)
  serveSignUp(server, deps)
  servePasswords(server, deps)
  servePasswordPolicy(server, deps)
  serveProfile(server, deps)
  serveConnections(server, deps)
  serveJoining(server, deps)
  serveHelping(server, deps)
  serveSecondFactor(server, deps)
  servePasskeys(server, deps)
  serveSignOn(server, deps)
  serveSignOnProviders(server, deps)
  serveDirectories(server, deps)
  serveDomains(server, deps)
}

function serveTokens(server: Server, deps: Platform): void {
  const directories = () => listDirectories(deps)
  registerDirectoryCheck(deps, directories)
  serve(server, contract.createToken, {
    handle: async ({ body, request, reply }) => {
      const from = {
        address: countedAddress(request.ip),
        device: readDevice(request),
        visit: visitOf(request),
        mayBeFirst: async () => !(await needsSetupCode(deps, request)),
      }
      return answerSignIn(deps, request, reply, await signIn(deps, directories, body, from))
    },
  })
  serve(server, contract.exchangeSignOnCode, {
    handle: async ({ body, request, reply }) => {
      const { userId, signOnId } = await consumeOneTimeToken(
        deps,
        'sign_on',
        body.code,
        browserSecret(request) ?? '',
      )
      const from = { visit: visitOf(request), device: readDevice(request), signOnId }
      const recheck: Recheck = (trx) => assertConsumed(trx, userId, 'sign_on')
      return answerSignIn(deps, request, reply, await letIn(deps, userId, from, recheck))
    },
  })
  const signOutThere = createSignOut(deps)
  serve(server, contract.deleteToken, {
    handle: async ({ user, request }) => {
      const url = await signOutThere(user.tokenHash)
      await deps.db.transaction().execute(async (trx) => {
        await endToken({ db: trx }, user.tokenHash)
        await auditBy(deps, { user, request })(trx, { did: 'session.ended', subject: deviceOf(request) })
      })
      return { ...notice(request, 'signed_out'), sign_out_url: url }
    },
  })
  serve(server, own.listSignIns, {
    handle: async ({ user }) => ({ items: await listSignIns(deps, user) }),
  })
  serve(server, own.endSignIn, {
    handle: async ({ user, params, request }) => {
      await endSignIn(deps, user, params.signInId, auditBy(deps, { user, request }))
      return notice(request, 'device_signed_out')
    },
  })
  serve(server, own.endSignIns, {
    handle: async ({ user, query, request }) => {
      const keepsThis = query.except === 'this'
      const audit = auditBy(deps, { user, request })
      await endSignIns(deps, user, { keepsThis, device: readDevice(request) }, audit)
      return notice(request, keepsThis ? 'signed_out_elsewhere' : 'signed_out_everywhere')
    },
  })
}

function serveSignUp(server: Server, deps: Platform): void {
  serve(server, contract.signUp, {
    handle: async ({ body, request }) => {
      const language = body.language ?? requestLanguage(request)
      const form = {
        ...body,
        full_name: body.full_name ?? null,
        language,
        setup_code: body.setup_code,
        invitation: body.invitation,
      }
      const from = {
        address: countedAddress(request.ip),
        needsSetupCode: () => needsSetupCode(deps, request),
      }
      const { mustVerify } = await signUp(deps, form, from)
      const { message } = notice(request, mustVerify ? 'signed_up_verify' : 'signed_up')
      return { message, verification_required: mustVerify }
    },
  })
  serve(server, contract.verifyEmail, {
    handle: async ({ query, request }) => {
      const proof = await countFailures(deps, 'reset_address', countedAddress(request.ip), () =>
        consumeOneTimeToken(deps, ['verify_email', 'change_email'], query.token),
      )
      if (proof.purpose === 'change_email')
        await takeProvedEmail(deps, proof, recordOwn(deps, request, proof.userId))
      else await proveOwnEmail(deps, proof, recordOwn(deps, request, proof.userId))
      return notice(request, 'verified')
    },
  })
  serve(server, contract.resendVerification, {
    handle: (call) => answerMailRequest(deps, call, 'verify_email'),
  })
  serve(server, contract.getSignInOptions, {
    handle: async ({ request }) => {
      const isFirst = await isEmptyInstallation(deps)
      const own = await listOffered(deps.db)
      return {
        providers: await listProviders(deps),
        ...(own.length > 0 && { own_providers: own }),
        verification_required: await mustProveAddresses(deps),
        first_account: isFirst,
        sign_up: isFirst ? ('open' as const) : (await readSignUpRules(deps.db, deps.config)).policy,
        sends_mail: (await deps.mail.host()) !== null,
        password_rules: await readPasswordRules(deps.db),
        setup_code_required: isFirst && (await needsSetupCode(deps, request)),
      }
    },
  })
}

function servePasswords(server: Server, deps: Platform): void {
  serve(server, contract.requestPasswordReset, {
    handle: (call) => answerMailRequest(deps, call, 'reset_password'),
  })
  serve(server, contract.resetPassword, {
    handle: async ({ body, request }) => {
      await countFailures(deps, 'reset_address', countedAddress(request.ip), () =>
        resetPassword(deps, body, visitOf(request).address),
      )
      return notice(request, 'reset_done')
    },
  })
  serve(server, own.changePassword, {
    handle: async ({ body, user, request }) => {
      await changePassword(deps, user, body, visitOf(request).address)
      return notice(request, 'password_changed')
    },
  })
}

function serveProfile(server: Server, deps: Platform): void {
  serve(server, contract.getMe, {
    handle: async ({
      principal,
      user: { kind: _kind, tokenHash: _hash, verified: _verified, outside, ...user },
    }) => ({
      ...user,
      ...brandField(await brandOf(deps, user.id)),
      ...(outside && !reaches(principal, 'admin') && { administration_closed: true }),
      unseen_chat_accesses: await countUnseenAccesses(deps, user.id),
      announcements: await countAnnouncements(deps, user.id),
      ...((await hasDueTerms(deps.db, user.id)) && { terms_due: true }),
      closed_features: await closedFeatures(deps.grants, user.id),
      hidden_controls: await hiddenControls(deps.db, user.id),
      shortcuts: { ...(await readShortcuts(deps.db, user.id)) },
    }),
  })
  serve(server, contract.updatePreferences, {
    handle: ({ body, user }) => updateProfile(deps, user.id, body),
  })
  serve(server, own.changeEmail, {
    handle: async ({ body, user, request }) => {
      const outcome = await changeEmail(deps, user, body, recordOwn(deps, request, user.id))
      const { message } = notice(request, outcome === 'mailed' ? 'email_mailed' : 'email_changed')
      return { message, verification_required: outcome === 'mailed' }
    },
  })
  serve(server, own.getPicture, {
    handle: async ({ user, reply }) => {
      await sendPicture(deps, user.id, reply)
      // The picture itself is the response.
      return undefined as never
    },
  })
  serve(server, own.putPicture, {
    handle: async ({ user, request }) => {
      await storePicture(deps, user.id, request)
      return readUser(deps, user.id)
    },
  })
  serve(server, own.deletePicture, {
    handle: async ({ user }) => {
      await dropPicture(deps, user.id)
      return readUser(deps, user.id)
    },
  })
  serve(server, own.listCompaniesForSelect, {
    handle: ({ user }) => listCompanies(deps, user),
  })
}

function serveConnections(server: Server, deps: Platform): void {
  serve(server, own.listSignOnConnections, {
    handle: ({ user }) => listSignOnConnections(deps, user.id),
  })
  serve(server, own.deleteSignOnConnection, {
    handle: async ({ user, params, request }) => {
      await disconnectSignOn(deps, user.id, params.provider, recordOwn(deps, request, user.id))
      return notice(request, 'disconnected')
    },
  })
}

async function proveOwnEmail(
  deps: Platform,
  proof: { userId: string; email: string },
  record: RecordOwn,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, proof.userId)
    if (await isUnprovedAdministrator(trx, proof.userId)) throw invalidToken()
    const changes = await proveEmail(deps, trx, proof)
    if (changes.length > 0) await record(trx, { did: 'account.changed', changes })
  })
}

/** Responds identically and in the same time whether or not the address has an account. */
async function answerMailRequest(
  deps: Platform,
  { body, request }: Pick<Call<typeof contract.resendVerification>, 'body' | 'request'>,
  purpose: 'verify_email' | 'reset_password',
) {
  await takeTurn(deps, 'mail_address', countedAddress(request.ip))
  await takeTurn(deps, 'mail_account', `${purpose}:${body.email.toLowerCase()}`)
  await requestMail(deps, purpose, body.email)
  return notice(request, purpose === 'verify_email' ? 'verification_requested' : 'reset_requested')
}

/** Responds to a valid first proof: with a token and a device cookie, or with the second step. */
function answerSignIn(
  deps: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Awaited<ReturnType<typeof letIn>>,
) {
  if ('secondStep' in outcome) return { second_step: outcome.secondStep }
  giveDevice(deps, request, reply, outcome.device)
  return { access_token: outcome.token, token_type: 'bearer' as const }
}
