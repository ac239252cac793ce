/** A user of a running product, with an access token and API calls. */
export type Account = {
  token: string
  username: string
  /** Calls `/api/v1<path>` and returns the parsed JSON. @throws with status and detail unless it is 2xx */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
}

/**
 * Settings of a user who has seen the welcome, starts with the chat, and has no working memory, so the model gets no further
 * calls after a reply.
 */
export const settledIn = {
  working_memory: false,
  home_page: false,
  onboarding: { welcome: { completed: true } },
}

export const PASSWORD = 'correct horse battery'

/**
 * Creates an account on the product at `url` and signs in. The first account is the administrator. It needs the setup code if the
 * server cannot identify the calling program.
 */
export async function signUp(url: string, username = 'ada', setup_code?: string): Promise<Account> {
  const created = await fetch(`${url}/api/v1/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, email: `${username}@example.com`, password: PASSWORD, setup_code }),
  })
  if (!created.ok) throw new Error(`sign-up answered ${created.status}: ${await created.text()}`)
  const account = await signIn(url, username)
  await account.call('PUT', '/users/me/preferences', { preferences: settledIn })
  return account
}

/** Signs in with an existing account. */
export async function signIn(url: string, username = 'ada'): Promise<Account> {
  const answer = await fetch(`${url}/api/v1/token`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return accountAt(url, token, username)
}

/** Returns the account of a token at another address, for use after a restart. */
export function accountAt(url: string, token: string, username = 'ada'): Account {
  return {
    token,
    username,
    call: async <Answer>(method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    },
  }
}
