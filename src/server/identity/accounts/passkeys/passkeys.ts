import type { Transaction } from 'kysely'
import * as contract from '#shared/identity/accounts/passkeys.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { changed } from '../../audit/audit.ts'
import { giveDevice, readDevice, rememberDevice } from '../device-store.ts'
import { requestMail } from '../mails.ts'
import { assertItIsThem } from '../passwords/change-password.ts'
import { countedAddress, countFailures } from '../rate-limit-store.ts'
import { finishTicket, readTicket } from '../second-factor/let-in.ts'
import { recordOwn } from '../second-factor/record-own.ts'
import { assertMayComeIn } from '../sign-in.ts'
import { visitOf } from '../sign-ins/sign-ins.ts'
import { findAccountById } from '../store.ts'
import { notice } from '../texts.ts'
import { assertSignedIn, issueToken } from '../tokens/access-token-store.ts'
import {
  deletePasskey,
  findCredential,
  findPasskeys,
  insertPasskey,
  setPasskeyName,
  toPasskey,
} from './passkey-store.ts'
import { askForNew, askToSign, checkNew, checkSigned, siteOf, unknownPasskey } from './verify-passkey.ts'

/** Serves passkeys: managing them and signing in with one. */
export function servePasskeys(server: Server, deps: Platform): void {
  serve(server, contract.listPasskeys, {
    handle: async ({ user }) => ({ items: (await findPasskeys(deps.db, user.id)).map(toPasskey) }),
  })
  serve(server, contract.beginPasskey, {
    handle: async ({ user, body, request }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      if ((await findPasskeys(deps.db, user.id)).length >= contract.PASSKEYS_LIMIT)
        throw new AppError('conflict', 'That is as many passkeys as can be kept. Remove one first.')
      return askForNew(deps, siteOf(deps, request), user)
    },
  })
  serve(server, contract.addPasskey, {
    handle: async ({ user, body, request }) => {
      const { credentialId, publicKey, counter } = await checkNew(deps, siteOf(deps, request), user.id, body)
      const passkey = {
        ...{ user_id: user.id, credential_id: credentialId, name: body.name, public_key: publicKey, counter },
        transports: JSON.stringify(body.response.response.transports ?? []),
        created_at: deps.clock.now(),
      }
      const added = await deps.db.transaction().execute(async (trx) => {
        await assertSignedIn(trx, user)
        const made = await insertPasskey(trx, passkey)
        if (!made) throw new AppError('conflict', 'This passkey is kept already.')
        const changes = changed('passkey', null, made.name)
        await recordOwn(deps, request, user.id)(trx, { did: 'factor.added', changes })
        return made
      })
      await requestMail(deps, 'factors_changed', user.email)
      return added
    },
  })
  serve(server, contract.renamePasskey, {
    handle: ({ params, body }) => setPasskeyName(deps.db, params.passkeyId, body.name),
  })
  serve(server, contract.removePasskey, {
    handle: async ({ user, params, request }) => {
      await deps.db.transaction().execute(async (trx) => {
        await assertSignedIn(trx, user)
        const before = await deletePasskey(trx, params.passkeyId)
        const changes = changed('passkey', before, null)
        await recordOwn(deps, request, user.id)(trx, { did: 'factor.removed', changes })
      })
      await requestMail(deps, 'factors_changed', user.email)
      return notice(request, 'passkey_removed')
    },
  })
  servePasskeySignIn(server, deps)
}

function servePasskeySignIn(server: Server, deps: Platform): void {
  serve(server, contract.beginPasskeySignIn, {
    handle: async ({ body: { ticket }, request }) => {
      const person = await countFailures(deps, 'ticket_address', countedAddress(request.ip), async () =>
        ticket === undefined ? null : readTicket(deps, ticket),
      )
      return askToSign(deps, siteOf(deps, request), person?.id ?? null)
    },
  })
  serve(server, contract.signInWithPasskey, {
    handle: async ({ body: { ticket, ...signed }, request, reply }) => {
      const from = { visit: visitOf(request), device: readDevice(request) }
      const userId = await countFailures(deps, 'ticket_address', countedAddress(request.ip), async () => {
        const person = ticket === undefined ? null : await readTicket(deps, ticket)
        return checkSigned(deps, siteOf(deps, request), person?.id ?? null, signed)
      })
      if (ticket !== undefined) {
        const { token, device } = await finishTicket(deps, ticket, userId, from)
        giveDevice(deps, request, reply, device)
        return { access_token: token, token_type: 'bearer' as const }
      }
      const token = await issueToken(deps, userId, from.visit, async (trx) => {
        await assertMayUsePasskey(deps, trx, userId, signed.response.id)
      })
      giveDevice(deps, request, reply, await rememberDevice(deps, userId, from.device))
      return { access_token: token, token_type: 'bearer' as const }
    },
  })
}

/** @throws AppError `invalid` for a passkey that was removed meanwhile, and what refuses a password of this user */
async function assertMayUsePasskey(
  deps: Platform,
  trx: Transaction<Tables>,
  userId: string,
  credentialId: string,
): Promise<void> {
  if ((await findCredential(trx, credentialId))?.user_id !== userId) throw unknownPasskey()
  await assertMayComeIn(deps, await findAccountById({ ...deps, db: trx }, userId))
}
