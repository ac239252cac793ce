import { beginPasskeySignIn, signInWithPasskey } from '#shared/identity/accounts/passkeys.ts'
import { call } from '../../platform/lib/api/call.ts'

/** Signs in with a passkey, alone or as the second step of a ticket. Returns the token. @throws when the browser or the server refuses */
export async function signInByPasskey(ticket?: string): Promise<string> {
  const body = ticket ? { ticket } : {}
  const [{ startAuthentication }, { options, challenge }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(beginPasskeySignIn, { body }),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = (await startAuthentication({ optionsJSON })) as unknown as Signed
  const { access_token } = await call(signInWithPasskey, { body: { ...body, challenge, response } })
  return access_token
}

type Signed = NonNullable<Parameters<typeof call<typeof signInWithPasskey>>[1]>['body']['response']
