import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from './app.ts'

type Answer = {
  status: number
  body: Record<string, unknown> & { detail?: string; code?: string }
  headers: Record<string, unknown>
}

export const PASSWORD = 'correct horse'

/** Creates a person at the sign-in screens. */
export function aVisitor(app: TestApp) {
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object | string,
    token?: string,
  ): Promise<Answer> => {
    const isForm = typeof payload === 'string'
    const response = await app.http.inject({
      method,
      url: `/api/v1${path}`,
      payload,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
  return {
    send,
    signUp: (username: string, more: object = {}) =>
      send('POST', '/users/', { username, email: `${username}@example.com`, password: PASSWORD, ...more }),
    signIn: (username: string, password = PASSWORD) =>
      send('POST', '/token', new URLSearchParams({ username, password }).toString()),
    /** Waits for the newest mail to a person. Returns its token. */
    mailedToken: async (to: string, path: string): Promise<string> => {
      for (let i = 0; i < 600; i += 1) {
        const found = mailsIn(app, to).map(
          (mail) => new RegExp(`/login/${path}\\?token=([\\w-]+)`).exec(mail)?.[1],
        )
        const token = found.findLast(Boolean)
        if (token) return token
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`no mail to ${to}`)
    },
    mails: (to: string) => mailsIn(app, to),
  }
}

function mailsIn(app: TestApp, to: string): string[] {
  const folder = join(app.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
  return all
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(`To: ${to}`))
}
