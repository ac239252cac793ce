import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { createLog, redactUrl } from './log.ts'

describe('URL in the log', () => {
  it.each([
    ['/a?token=SECRET', '/a?token=[hidden]'],
    ['/a?x=1&auth_token=SECRET&y=2', '/a?x=1&auth_token=[hidden]&y=2'],
    ['/a?authToken=SECRET#part', '/a?authToken=[hidden]#part'],
    [
      '/login/google/callback?state=SECRET&code=SECRET',
      '/login/google/callback?state=[hidden]&code=[hidden]',
    ],
    ['/a?TOKEN=SECRET&Access_Token=SECRET', '/a?TOKEN=[hidden]&Access_Token=[hidden]'],
    ['/a?%74oken=SECRET', '/a?%74oken=[hidden]'],
    ['/a?token=SECRET&token=SECRET', '/a?token=[hidden]&token=[hidden]'],
    ['GET http://x/a?token=SECRET failed', 'GET http://x/a?token=[hidden] failed'],
    ['/a?%E0=1&token=SECRET', '/a?%E0=1&token=[hidden]'],
    ['/a?q=what%20I%20look%20for&page=2', '/a?q=[hidden]&page=2'],
    ['/a?tokens=1&encode=2', '/a?tokens=1&encode=2'],
  ])('%s', (url, logged) => {
    expect(redactUrl(url)).toBe(logged)
  })
})

describe('log', () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ log, config: { ATRIUM_EMAIL_VERIFICATION: 'required' } })
  })
  afterAll(() => app.close())

  it('contains no secret at any depth or in any error', () => {
    const secret = randomUUID()
    const fields = ['authorization', 'cookie', 'password', 'new_password', 'api_key', 'token', 'auth_token']
    for (const name of [...fields, 'authToken', 'access_token', 'code', 'client_secret', 'setup_code']) {
      log.info({ [name]: secret, one: { [name]: secret, two: { [name]: secret } } }, 'test')
    }
    const error = Object.assign(new Error(`GET /x?token=${secret} failed`), { client: { password: secret } })
    log.error({ error, err: error }, 'test')
    log.error(error)
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).toContain('failed')
  })

  it('contains no password, token, code or link after whole visits', async () => {
    lines.length = 0
    const visitor = aVisitor(app)
    await visitor.signUp('root')
    await visitor.signUp('ada')
    const mailed = await visitor.mailedToken('ada@example.com', 'verify-email')
    await visitor.send('POST', `/users/verify-email?token=${mailed}`)
    const token = String((await visitor.signIn('ada')).body.access_token)
    await visitor.signIn('ada', `${PASSWORD} mistyped`)
    await visitor.send('GET', '/users/me', undefined, token)
    await visitor.send('POST', '/token/exchange', { code: 'c0de-secret' })
    const root = String((await visitor.signIn('root')).body.access_token)
    const connection = { provider: 'house', name: 'House', kind: 'openai', api_key: 'sk-secret' }
    await visitor.send('POST', '/model-connections', connection, root)
    const user = await aUser(app)
    const { id } = await aSession(app, user)
    const url = await app.listen()
    for (const name of ['token', '%74oken']) {
      const answer = await fetch(`${url}/api/v1/sessions/${id}/task-stream?${name}=${user.token}`)
      expect(answer.status).toBe(200)
      await answer.text()
    }
    const logged = lines.join('')
    expect(logged).toContain('/task-stream?token=[hidden]')
    for (const secret of [PASSWORD, mailed, token, root, user.token, 'c0de-secret', 'sk-secret']) {
      expect(logged).not.toContain(secret)
    }
  })
})
