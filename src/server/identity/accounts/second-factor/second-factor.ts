import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/identity/accounts/second-factor.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Caller, type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { giveDevice, readDevice } from '../device-store.ts'
import { requestMail } from '../mails.ts'
import { assertItIsThem } from '../passwords/change-password.ts'
import { countedAddress, countFailures } from '../rate-limit-store.ts'
import { visitOf } from '../sign-ins/sign-ins.ts'
import { notice } from '../texts.ts'
import { assertSignedIn, lockAccount } from '../tokens/access-token-store.ts'
import { beginApp, type Claim, confirmNewApp, giveUpApp, renewCodes, takeCode } from './factors.ts'
import { finishTicket, type LetIn, readTicket } from './let-in.ts'
import { endOldSignIns } from './old-sign-ins-store.ts'
import { recordOwn } from './record-own.ts'
import { readFactors } from './second-factor-store.ts'

/** Serves the second step of a sign-in, and its setup. */
export function serveSecondFactor(server: Server, deps: Platform): void {
  deps.jobs.register('second-factor.bind', () => endOldSignIns(deps), { cron: '27 * * * *' })
  serveSecondStep(server, deps)
  serve(server, contract.getSecondFactors, {
    handle: async ({ user }) => {
      const { appSince, recoveryCodesLeft, isRequired } = await readFactors(deps.db, user.id)
      const app_since = appSince?.toISOString() ?? null
      return { app_since, recovery_codes_left: recoveryCodesLeft, is_required: isRequired }
    },
  })
  serve(server, contract.beginCodeApp, {
    handle: async ({ user, body }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      return beginApp(deps, user)
    },
  })
  serve(server, contract.confirmCodeApp, {
    handle: async ({ user, body, request }) => {
      const recovery_codes = await confirmNewApp(deps, user, body.code, ownChange(user, request))
      await requestMail(deps, 'factors_changed', user.email)
      return { recovery_codes }
    },
  })
  serve(server, contract.removeCodeApp, {
    handle: async ({ user, body, request }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      await giveUpApp(deps, user.id, ownChange(user, request))
      await requestMail(deps, 'factors_changed', user.email)
      return notice(request, 'factor_removed')
    },
  })
  serve(server, contract.renewRecoveryCodes, {
    handle: async ({ user, body, request }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      return { recovery_codes: await renewCodes(deps, user.id, ownChange(user, request)) }
    },
  })

  /** A change that needs a sign-in until its end. */
  function ownChange(user: Caller, request: FastifyRequest) {
    const claim: Claim = (trx) => assertSignedIn(trx, user)
    return { claim, record: recordOwn(deps, request, user.id) }
  }
}

/** Serves the routes for holders of a ticket without a token. */
function serveSecondStep(server: Server, deps: Platform): void {
  serve(server, contract.giveSecondFactor, {
    handle: async ({ body: { ticket, code }, request, reply }) => {
      const person = await openTicket(deps, request, ticket)
      await takeCode(deps, person.id, code)
      return bearer(await finish(ticket, person.id, request), (device) =>
        giveDevice(deps, request, reply, device),
      )
    },
  })
  serve(server, contract.beginRequiredSetUp, {
    handle: async ({ body: { ticket }, request }) => {
      const person = await openTicket(deps, request, ticket)
      await assertHasNone(deps, person.id)
      return beginApp(deps, person)
    },
  })
  serve(server, contract.finishRequiredSetUp, {
    handle: async ({ body: { ticket, code }, request, reply }) => {
      const person = await openTicket(deps, request, ticket)
      await assertHasNone(deps, person.id)
      const claim: Claim = async (trx) => {
        await lockAccount(trx, person.id)
        // A change of the password ends tickets.
        await readTicket({ ...deps, db: trx }, ticket)
        await assertHasNone({ db: trx }, person.id)
      }
      const by = { claim, record: recordOwn(deps, request, person.id) }
      const recovery_codes = await confirmNewApp(deps, person, code, by)
      await requestMail(deps, 'factors_changed', person.email)
      const done = await finish(ticket, person.id, request)
      return { ...bearer(done, (device) => giveDevice(deps, request, reply, device)), recovery_codes }
    },
  })

  function finish(ticket: string, userId: string, request: FastifyRequest): Promise<LetIn> {
    return finishTicket(deps, ticket, userId, { visit: visitOf(request), device: readDevice(request) })
  }
}

async function openTicket(deps: Platform, request: FastifyRequest, ticket: string) {
  return countFailures(deps, 'ticket_address', countedAddress(request.ip), () => readTicket(deps, ticket))
}

/** Requires that the user has no second factor: the first step alone must not replace one. */
async function assertHasNone({ db }: Pick<Platform, 'db'>, userId: string): Promise<void> {
  const { appSince, hasPasskey } = await readFactors(db, userId)
  if (appSince || hasPasskey)
    throw new AppError('conflict', 'There is a second factor already: sign in with it.')
}

function bearer({ token, device }: LetIn, keep: (device: string) => void) {
  keep(device)
  return { access_token: token, token_type: 'bearer' as const }
}
