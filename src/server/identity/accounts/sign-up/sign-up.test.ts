import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { readSetupCode } from '../accounts.ts'

type Visitor = ReturnType<typeof aVisitor>

async function withApp(
  config: Record<string, string>,
  work: (visitor: Visitor, app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await startApp({ config })
  try {
    await work(aVisitor(app), app)
  } finally {
    await app.close()
  }
}

describe('the first account', () => {
  it('makes exactly one of twenty racing sign-ups super admin, verified [AU-08, AU-25, SV-03]', async () => {
    await withApp({ ATRIUM_EMAIL_VERIFICATION: 'required' }, async (visitor) => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => visitor.signUp(`racer${i}`)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => visitor.signIn(`racer${i}`)))
      const inside = tokens.filter(({ status }) => status === 200)
      expect(inside).toHaveLength(1)
      const me = await visitor.send('GET', '/users/me', undefined, String(inside[0]?.body.access_token))
      expect(me.body.company_affiliations).toMatchObject([{ role: { name: 'super_admin' } }])
    })
  })

  it('needs the setup code printed at start when the server is reached remotely [AU-08]', async () => {
    await withApp({ HOST: '0.0.0.0' }, async (visitor, app) => {
      const options = await visitor.send('GET', '/sign-in-options')
      expect(options.body).toMatchObject({ first_account: true, setup_code_required: true })
      expect((await visitor.signUp('ada')).body.code).toBe('setup_code_required')
      expect((await visitor.signUp('ada', { setup_code: 'AAAA-AAAA-AAAA' })).status).toBe(403)
      const setup_code = await readSetupCode(app.deps)
      expect((await visitor.signUp('ada', { setup_code: setup_code?.toLowerCase() })).status).toBe(201)
      expect(await readSetupCode(app.deps)).toBeNull()
      expect((await visitor.signUp('bob')).status).toBe(201)
    })
  })

  const ask = (app: TestApp, username: string, headers: Record<string, string>) => {
    const payload = { username, email: `${username}@example.com`, password: PASSWORD }
    return app.http.inject({ method: 'POST', url: '/api/v1/users', payload, headers })
  }

  it('needs the setup code behind a proxy, whose public address is another machine', async () => {
    await withApp({ ATRIUM_PUBLIC_URL: 'https://chat.example.com' }, async (visitor, app) => {
      const options = await visitor.send('GET', '/sign-in-options')
      expect(options.body).toMatchObject({ setup_code_required: true })
      expect((await ask(app, 'eve', {})).json().code).toBe('setup_code_required')
      const setup_code = await readSetupCode(app.deps)
      expect((await visitor.signUp('ada', { setup_code })).status).toBe(201)
    })
  })

  it('needs the setup code when a request shows a remote origin, and none locally', async () => {
    await withApp({}, async (visitor, app) => {
      const elsewhere: Record<string, string>[] = [
        ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].map((name) => ({ [name]: '127.0.0.1' })),
        { host: '192.168.1.7:3000' },
      ]
      for (const headers of elsewhere) {
        const answer = await ask(app, 'eve', headers)
        expect(answer.json().code, JSON.stringify(headers)).toBe('setup_code_required')
        const options = await app.http.inject({ url: '/api/v1/sign-in-options', headers })
        expect(options.json()).toMatchObject({ setup_code_required: true })
      }
      // Users behind an undeclared proxy find the code in the data folder.
      const setup_code = readFileSync(join(app.dataDir, 'setup-code'), 'utf8')
      expect((await visitor.signUp('ada', { setup_code: 'AAAA-AAAA-AAAA' })).status).toBe(201)
      expect(setup_code).toMatch(/^[A-Z0-9]{4}-/)
    })
  })
})

describe('sign-up', () => {
  let app: TestApp
  let visitor: Visitor
  beforeAll(async () => {
    app = await startApp({
      config: { ATRIUM_EMAIL_VERIFICATION: 'required', ATRIUM_BILLING: 'on', ATRIUM_STARTING_BALANCE: '3' },
    })
    visitor = aVisitor(app)
    await aUser(app, { role: 'super_admin', username: 'root' })
  })
  afterAll(() => app.close())

  it.each([
    ['AU-09 needs a username', { username: '' }],
    ['AU-09 needs an email', { email: 'nobody' }],
    ['AU-09 needs a password', { password: undefined }],
    ['AU-11 refuses a password of less than 8 characters', { password: '1234567' }],
  ])('%s', async (_, wrong) => {
    const { status, body } = await visitor.signUp('nobody', wrong)
    expect(status).toBe(422)
    expect(body.errors).toBeTruthy()
  })

  it('reports which of the two names is taken, in any case [AU-23]', async () => {
    await visitor.signUp('taken')
    expect((await visitor.signUp('TAKEN', { email: 'other@example.com' })).body.detail).toBe(
      'Username already registered',
    )
    expect((await visitor.signUp('other', { email: 'Taken@Example.com' })).body.detail).toBe(
      'Email already registered',
    )
  })

  it.each([
    ['a zero-width joiner', 'ad\u200dmin'],
    ['a soft hyphen', 'ad\u00admin'],
    ['a turn of the writing direction', 'ad\u202enim'],
    ['a Hangul filler', 'ad\u3164min'],
    ['an invisible joiner of marks', 'ad\u034fmin'],
    ['a variation selector', 'admin\ufe0f'],
    ['a blank of Braille', 'ad\u2800min'],
    ['a tag', 'admin\u{e0041}'],
    ['a mark with nothing under it', '\u0301admin'],
    ['a control character', 'ad\u0007min'],
  ])('refuses a username with %s', async (_, username) => {
    const { status, body } = await visitor.signUp('x', { username, email: 'unseen@example.com' })
    expect([status, (body.errors as { path: string }[])[0]?.path]).toEqual([422, 'username'])
  })

  it.each(['o’hara', 'josé_42', 'Søren.K', '田中', 'мария', 'x+y-z'])(
    'accepts the username %s',
    async (username) => {
      const email = `${encodeURIComponent(username).replaceAll('%', '')}@example.com`
      expect((await visitor.signUp('x', { username, email })).status).toBe(201)
    },
  )

  it('treats a look-alike username as taken', async () => {
    await visitor.signUp('Paola.Iona10', { email: 'real@example.com' })
    const alike = [
      'Раola.Iona10',
      'pаоlа.iоnа10',
      'Paola.lona10',
      'Paola.IonalO',
      'Ρaola.Iona10',
      'Ｐaola.Iona10',
    ]
    for (const [at, username] of alike.entries()) {
      const { status, body } = await visitor.signUp('x', { username, email: `alike${at}@example.com` })
      expect([username, status, body.detail]).toEqual([username, 409, 'Username already registered'])
    }
    expect((await visitor.signUp('x', { username: 'arnold', email: 'arnold@example.com' })).status).toBe(201)
    expect((await visitor.signUp('x', { username: 'amold', email: 'amold@example.com' })).status).toBe(409)
    expect((await visitor.signUp('x', { username: 'paolo.iona10', email: 'o@example.com' })).status).toBe(201)
  })

  it('requires opening the mailed link, once [AU-14, AU-18, SV-06]', async () => {
    expect((await visitor.signUp('ada', { full_name: null, language: 'fr' })).body).toMatchObject({
      verification_required: true,
    })
    const refused = await visitor.signIn('ada')
    expect([refused.status, refused.body.detail]).toEqual([403, 'Email not verified'])
    const token = await visitor.mailedToken('ada@example.com', 'verify-email')
    expect((await visitor.send('POST', `/users/verify-email?token=${token}`)).status).toBe(200)
    expect((await visitor.send('POST', `/users/verify-email?token=${token}`)).body.code).toBe('token_invalid')
    expect((await visitor.signIn('ada')).status).toBe(200)
    expect(visitor.mails('ada@example.com')[0]).toMatch(/Bonjour/)
  })

  it('sends the link again, with the same response for unknown addresses [AU-16, SV-07]', async () => {
    await visitor.signUp('cleo')
    const known = await visitor.send('POST', '/users/resend-verification-email', {
      email: 'cleo@example.com',
    })
    const unknown = await visitor.send('POST', '/users/resend-verification-email', {
      email: 'nobody@example.com',
    })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    await visitor.mailedToken('cleo@example.com', 'verify-email')
    expect(visitor.mails('nobody@example.com')).toEqual([])
  })

  it('grants the starting balance, and /users/me returns every user field [AU-24, SV-02]', async () => {
    const user = await aUser(app, { username: 'dora' })
    await visitor.signUp('emil')
    const token = await visitor.mailedToken('emil@example.com', 'verify-email')
    await visitor.send('POST', `/users/verify-email?token=${token}`)
    const signedIn = await visitor.signIn('emil')
    const me = await visitor.send('GET', '/users/me', undefined, String(signedIn.body.access_token))
    expect(me.body).toMatchObject({
      ...{
        username: 'emil',
        email: 'emil@example.com',
        full_name: null,
        language: 'en',
        bio: null,
        balance: 3,
      },
      ...{
        writing_style_examples: [],
        preferences: {},
        company_affiliations: [{ role: { name: 'member' } }],
      },
    })
    expect(JSON.stringify(me.body)).not.toMatch(/password|token/i)
    expect((await visitor.send('GET', '/users/me', undefined, user.token)).body.balance).toBe(0)
  })
})

it('a closed beta admits only users with access', async () => {
  await withApp({ ATRIUM_BETA: 'on' }, async (visitor, app) => {
    await visitor.signUp('first')
    await visitor.signUp('later')
    expect((await visitor.signIn('first')).status).toBe(200)
    const refused = await visitor.signIn('later', PASSWORD)
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toMatch(/beta/i)
    await app.deps.db
      .updateTable('users')
      .set({ beta_access: true })
      .where('username', '=', 'later')
      .execute()
    expect((await visitor.signIn('later')).status).toBe(200)
  })
})

describe('a newly signed-up user', () => {
  const companiesOf = async (visitor: Visitor, name: string) => {
    const token = String((await visitor.signIn(name)).body.access_token)
    const { body } = await visitor.send('GET', '/users/me', undefined, token)
    const affiliations = body.company_affiliations as { company: { id: string }; role: { name: string } }[]
    return {
      token,
      ids: affiliations.map(({ company }) => company.id),
      roles: affiliations.map(({ role }) => role.name),
    }
  }
  const signUpThree = async (visitor: Visitor) => {
    for (const name of ['first', 'second', 'third']) await visitor.signUp(name)
    const [first, second, third] = [
      await companiesOf(visitor, 'first'),
      await companiesOf(visitor, 'second'),
      await companiesOf(visitor, 'third'),
    ]
    expect([second.roles, third.roles]).toEqual([['member'], ['member']])
    return { first, second, third }
  }

  it('has no colleagues, sees no company data and may not share', async () => {
    await withApp({}, async (visitor) => {
      const { first, second, third } = await signUpThree(visitor)
      expect(new Set([...first.ids, ...second.ids, ...third.ids]).size).toBe(3)
      const shared = { name: 'Desk', status: 'published', shared: true }
      const { status, body } = await visitor.send('POST', '/assistants', shared, first.token)
      expect(status).toBe(201)
      expect((await visitor.send('GET', `/assistants/${body.id}`, undefined, second.token)).status).toBe(403)
      expect((await visitor.send('POST', '/assistants', shared, second.token)).status).toBe(403)
    })
  })

  it('joins the first company as a member, unless a super admin chose one for each person', async () => {
    await withApp({ ATRIUM_SIGN_UP_COMPANY: '' }, async (visitor) => {
      const { first, second, third } = await signUpThree(visitor)
      expect([second.ids, third.ids]).toEqual([first.ids, first.ids])
      const rules = { policy: 'open', domains: [], company: 'own' }
      const saved = await visitor.send('PUT', '/admin/sign-up', rules, first.token)
      expect(saved.body).toMatchObject({ company: 'own', company_fixed_by: [] })
      // Saving the policy alone keeps the choice.
      const kept = await visitor.send('PUT', '/admin/sign-up', { policy: 'open', domains: [] }, first.token)
      expect(kept.body.company).toBe('own')
    })
  })

  it('fixes the company of new accounts by a variable', async () => {
    await withApp({ ATRIUM_SIGN_UP_COMPANY: 'first' }, async (visitor) => {
      const { first } = await signUpThree(visitor)
      const rules = { policy: 'open', domains: [], company: 'own' }
      expect((await visitor.send('PUT', '/admin/sign-up', rules, first.token)).status).toBe(409)
      const { body } = await visitor.send('GET', '/admin/sign-up', undefined, first.token)
      expect(body).toMatchObject({ company: 'first', company_fixed_by: ['ATRIUM_SIGN_UP_COMPANY'] })
    })
  })
})
