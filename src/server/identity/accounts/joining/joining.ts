import * as contract from '#shared/identity/accounts/joining.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorOf } from '../../audit/audit.ts'
import { countedAddress, countFailures } from '../rate-limit-store.ts'
import { notice } from '../texts.ts'
import { findInvitations } from './invitation-store.ts'
import {
  inviteTo,
  joinByInvitation,
  openInvitation,
  registerInvitations,
  sendAgain,
  withdraw,
} from './invitations.ts'
import { readSignUpRules, setSignUpRules } from './policy.ts'

/** Serves the sign-up policy and invitations. */
export function serveJoining(server: Server, deps: Platform): void {
  registerInvitations(deps)
  serve(server, contract.getSignUpRules, { handle: () => readSignUpRules(deps.db, deps.config) })
  serve(server, contract.setSignUpRules, {
    handle: ({ user, body, request }) => setSignUpRules(deps, actorOf(user, request), body),
  })
  serve(server, contract.listInvitations, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const found = await findInvitations(deps.db, user, { now: deps.clock.now(), skip, limit })
      return { ...found, page, has_more: skip + found.items.length < found.total }
    },
  })
  serve(server, contract.invite, {
    handle: ({ user, body, request }) => inviteTo(deps, user, actorOf(user, request), body),
  })
  serve(server, contract.sendInvitation, {
    handle: async ({ user, params, request }) => {
      await sendAgain(deps, user.id, params.invitationId)
      return notice(request, 'invitation_sent')
    },
  })
  serve(server, contract.withdrawInvitation, {
    handle: async ({ user, params, request }) => {
      await withdraw(deps, actorOf(user, request), params.invitationId)
      return notice(request, 'invitation_withdrawn')
    },
  })
  serve(server, contract.readInvitation, {
    handle: async ({ body, request }) => {
      const { company, role, email, invited_by, expires_at } = await countFailures(
        deps,
        'reset_address',
        countedAddress(request.ip),
        () => openInvitation(deps, body.token),
      )
      return { company, role, email, invited_by, expires_at: expires_at.toISOString() }
    },
  })
  serve(server, contract.acceptInvitation, {
    handle: async ({ user, body, request }) => {
      await joinByInvitation(deps, user, actorOf(user, request), body.token)
      return notice(request, 'joined')
    },
  })
}
