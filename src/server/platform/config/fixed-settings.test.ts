import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#shared/platform/http.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { features } from '../../features.ts'

const variables = {
  ATRIUM_SIGN_UP: 'domain',
  ATRIUM_SIGN_UP_DOMAINS: 'orsane.eu',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'atrium@orsane.eu',
  OPENAI_API_KEY: 'sk-1',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/openai',
  ANTHROPIC_API_KEY: 'sk-2',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/anthropic',
  GOOGLE_API_KEY: 'sk-3',
  GOOGLE_BASE_URL: 'http://127.0.0.1:9/google',
  ATRIUM_COMPATIBLE_URL: 'http://127.0.0.1:9/own',
  ATRIUM_COMPATIBLE_KEY: 'sk-4',
}
const mail = { host: 'smtp.house', port: 25, security: 'none', username: null, sender: 'a@house' }
const connection = { name: 'Another' }

/** Requests that change a setting which environment variables may fix, with those variables. */
const fixable: Record<string, { path: string; body?: object; by: (keyof typeof variables)[] }[]> = {
  'PUT /admin/sign-up': [
    {
      ...{ path: '/admin/sign-up', body: { policy: 'open', domains: [] } },
      by: ['ATRIUM_SIGN_UP', 'ATRIUM_SIGN_UP_DOMAINS'],
    },
  ],
  'PUT /admin/mail': [{ path: '/admin/mail', body: mail, by: ['SMTP_URL'] }],
  'DELETE /admin/mail': [{ path: '/admin/mail', by: ['SMTP_URL'] }],
  'PATCH /model-connections/:connectionId': [
    { path: '/openai', body: connection, by: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
    { path: '/anthropic', body: connection, by: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] },
    { path: '/google', body: connection, by: ['GOOGLE_API_KEY', 'GOOGLE_BASE_URL'] },
    { path: '/compatible', body: connection, by: ['ATRIUM_COMPATIBLE_URL', 'ATRIUM_COMPATIBLE_KEY'] },
  ],
  'DELETE /model-connections/:connectionId': [{ path: '/openai', by: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] }],
}

/** Other installation-wide requests of super admins, each with the reason why no variable fixes it. */
const free: Record<string, string> = {
  'PUT /admin/budgets': 'amounts are written in the administration only',
  'DELETE /admin/budgets/:budgetId': 'amounts are written in the administration only',
  'PUT /admin/price-question': 'the amount is written in the administration only',
  'PUT /admin/sign-on/providers/:providerId': 'those of variables are others, with an id of their own',
  'DELETE /admin/sign-on/providers/:providerId': 'those of variables are others, with an id of their own',
  'PUT /admin/companies/:companyId/limits': 'limits of a company are written in the administration only',
  'DELETE /admin/companies/:companyId': 'a company goes',
  'PUT /admin/audit-stream': 'the receiver of the audit log is chosen in the administration only',
  'DELETE /admin/audit-stream': 'the receiver of the audit log is chosen in the administration only',
  'PUT /admin/channels/:channelId': 'channels are connected in the administration only',
  'DELETE /admin/channels/:channelId': 'channels are connected in the administration only',
  'PUT /admin/channels/:channelId/places': 'channels are chosen in the administration only',
  'PUT /admin/databases/:databaseId': 'databases are connected in the administration only',
  'DELETE /admin/databases/:databaseId': 'databases are connected in the administration only',
  'PUT /admin/databases/:databaseId/tables': 'tables are chosen in the administration only',
  'PUT /admin/databases/:databaseId/class': 'classes are chosen in the administration only',
  'PUT /admin/hidden-controls/:control': 'controls are hidden in the administration only',
  'PUT /admin/trash': 'days are written in the administration only',
  'PUT /admin/retention': 'times are written in the administration only',
  'PUT /admin/password-policy': 'rules for passwords are set in the administration only',
  'PUT /admin/schedule-limits': 'limits of schedules are set in the administration only',
  'PUT /admin/setup/:step': 'notes how far somebody is',
  'DELETE /admin/chat-accesses/:accessId': 'an access ends',
  'DELETE /embedding-model/change': 'ATRIUM_EMBEDDING_MODEL says only what a new installation begins with',
  'DELETE /installed-models/:kind/:modelName': 'a folder goes',
  'PATCH /installed-models/:kind/:modelName': 'the fallback is chosen in the administration only',
  'DELETE /model-connections/:connectionId/adaptations': 'it forgets what refusals taught',
}

let app: TestApp
let admin: TestUser
let routes: Route[] = []
beforeAll(async () => {
  const listen = (server: { routes: Route[] }) => {
    routes = server.routes
  }
  app = await startApp({ config: variables, features: [...features, listen] })
  admin = await aUser(app, { role: 'super_admin' })
})
afterAll(() => app.close())

const send = async (method: string, url: string, payload?: object) => {
  const path = /^\/(openai|anthropic|google|compatible)$/.test(url)
    ? `/model-connections/environment-${url.slice(1)}`
    : url
  const wish = { method: method as 'PUT', url: `/api/v1${path}`, headers: admin.headers, payload }
  const response = await app.http.inject(wish)
  return { status: response.statusCode, body: response.json() }
}

describe('settings fixed by the environment', () => {
  it('are shown in the administration with the names of their variables [AD-13]', async () => {
    expect((await send('GET', '/admin/sign-up')).body.fixed_by).toEqual([
      ...['ATRIUM_SIGN_UP', 'ATRIUM_SIGN_UP_DOMAINS'],
    ])
    expect((await send('GET', '/admin/mail')).body.fixed_by).toEqual(['SMTP_URL', 'MAIL_FROM'])
    const { body } = await send('GET', '/model-connections')
    const said = body.flatMap(({ fixed_by }: { fixed_by: string[] }) => fixed_by)
    expect(said.sort()).toEqual(
      Object.keys(variables)
        .filter((name) => /_API_KEY|BASE_URL|COMPATIBLE/.test(name))
        .sort(),
    )
  })

  it('reject every change and name the variables [AD-13]', async () => {
    for (const [name, changes] of Object.entries(fixable))
      for (const { path, body, by } of changes) {
        const { status, body: answer } = await send(name.split(' ')[0] ?? '', path, body)
        expect([name, status], JSON.stringify(answer)).toEqual([name, 409])
        for (const variable of by) expect(answer.detail).toContain(variable)
      }
  })

  it('cover every change a super admin can make, unless no variable fixes it [AD-13]', () => {
    const changing = routes
      .filter(({ access, method }) => access === 'super_admin' && /PUT|PATCH|DELETE/.test(method))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !/retrieval-bench|vector_db/.test(name))
    expect(changing.sort()).toEqual([...Object.keys(fixable), ...Object.keys(free)].sort())
  })
})
