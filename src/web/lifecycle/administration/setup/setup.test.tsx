// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { MailSettings, MailTest, SetupProgress } from '#shared/lifecycle/setup/setup.ts'
import { forms } from '#tests/web/provider-forms.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const aModel = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, provider: 'lab', provider_name: 'Lab', context_tokens: null, max_output_tokens: null },
  ...{ input_price: null, output_price: null, local: true, is_default: false, ...more },
})
const builtIn = aModel('atrium/offline', 'Atrium')
const noMail: MailSettings = {
  ...{ source: 'none', host: '', port: 587, security: 'starttls', username: null },
  ...{ has_password: false, sender: '', fixed_by: [] },
}
const newcomer = () =>
  aUser({ role: 'super_admin', preferences: { onboarding: { setup: { completed: false } } } })

type World = {
  me?: User
  progress?: Partial<SetupProgress>
  models?: object[]
  mail?: MailSettings
  tested?: Partial<MailTest>
}

async function open(
  path: string,
  { me = newcomer(), models = [builtIn], mail = noMail, ...world }: World = {},
) {
  let progress: SetupProgress = { model: null, mail: null, address: null, sign_up: null, ...world.progress }
  let person = me
  let policy = 'open'
  const decide = (step: string) => [
    `PUT /admin/setup/${step}`,
    ({ body }: { body: unknown }) => {
      progress = { ...progress, [step]: (body as { outcome: string }).outcome }
      return progress
    },
  ]
  const { 'GET /sign-in-options': options } = aServer()
  return renderApp(path, {
    token: 't',
    answers: aServer({
      'GET /users/me': () => person,
      'PUT /users/me/preferences': ({ body }) => {
        person = { ...person, preferences: (body as { preferences: User['preferences'] }).preferences }
        return person
      },
      'GET /admin/setup': () => progress,
      ...Object.fromEntries(['model', 'mail', 'address', 'sign_up'].map(decide)),
      'GET /available-models': () => models,
      'GET /model-connections': () => [],
      'GET /model-connections/local': () => [],
      'GET /model-connections/kinds': () => Object.values(forms),
      'POST /admin/setup/greeting': ({ body }) => ({
        ...{ model: (body as { model: string }).model, text: 'Hello there.', detail: null, ms: 900 },
      }),
      'GET /admin/mail': () => mail,
      'POST /admin/mail/test': () => ({ outcome: 'sent', to: person.email, said: null, ...world.tested }),
      'PUT /admin/mail': () => mail,
      'GET /admin/setup/address': () => ({
        ...{ public_url: null, seen: 'http://localhost:3000', proxy: 'none', proxy_address: null },
      }),
      'GET /admin/sign-up': () => ({
        policy,
        domains: [],
        is_fixed: false,
        fixed_by: [],
        company: 'first',
        company_fixed_by: [],
      }),
      'PUT /admin/sign-up': ({ body }) => {
        policy = (body as { policy: string }).policy
        return { policy, domains: [], is_fixed: false, fixed_by: [], company: 'first', company_fixed_by: [] }
      },
      'GET /sign-in-options': (sent) => ({ ...(options?.(sent) as object), sign_up: policy }),
    }),
  })
}

const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }))
const at = (title: string) => screen.findByRole('heading', { name: title, level: 2 })

describe('the setup', () => {
  it('opens once automatically, lets every step be postponed, and ends in the product [AD-01]', async () => {
    const { hrefNow } = await open('/')
    await at('Connect a model')
    expect(hrefNow()).toBe('/setup')
    expect(await screen.findByText(/own model is there already/)).toBeDefined()
    await press('Continue without')
    await at('Mail')
    await press('Later')
    await at('Public address')
    await press('Later')
    await at('Who may sign up')
    await press('Later')
    await at('Atrium is ready')
    expect(await screen.findByText('Atrium’s own model answers.')).toBeDefined()
    await press('Open Atrium')
    await waitFor(() => expect(hrefNow()).not.toMatch(/^\/setup/))
    expect(await screen.findByRole('main')).toBeDefined()
  })

  it('does not return to the start page once the person has left it without finishing', async () => {
    const first = await open('/')
    await at('Connect a model')
    await first.router.navigate({ to: '/tools' })
    await screen.findByRole('main')
    await first.router.navigate({ to: '/' })
    await waitFor(() => expect(first.hrefNow()).toMatch(/^\/(chat|$)/))
    expect(first.hrefNow()).not.toMatch(/^\/setup/)
  })

  it('does not open for users other than the creator of the first account', async () => {
    const { hrefNow, called } = await open('/', { me: aUser({ role: 'super_admin' }) })
    await screen.findByRole('main')
    expect(hrefNow()).not.toMatch(/^\/setup/)
    expect(called('GET /admin/setup')).toHaveLength(0)
  })

  it('leaves deep links alone and is closed to users who are not super admins', async () => {
    const { hrefNow } = await open('/documents')
    await screen.findByRole('main')
    expect(hrefNow()).toBe('/documents')
    leaveApp()
    const member = await open('/setup', { me: aUser() })
    await waitFor(() => expect(member.hrefNow()).not.toMatch(/^\/setup/))
  })

  it('resumes at the last step and shows postponed ones [AD-01]', async () => {
    await open('/setup', { progress: { model: 'done', mail: 'later' } })
    await at('Public address')
    expect(screen.getByRole('button', { name: /Mail later/ })).toBeDefined()
    await press(/Connect a model/)
    await press('Continue')
    await at('Mail')
  })

  it('greets the selected model and shows its reply [AD-01]', async () => {
    const models = [aModel('lab/small', 'small'), aModel('lab/large', 'large'), builtIn]
    const { called } = await open('/setup?step=model', { models })
    await user.click(await screen.findByRole('radio', { name: /large/ }))
    await press('Test large')
    expect(await screen.findByText(/“Hello there.”/)).toBeDefined()
    expect(called('POST /admin/setup/greeting')[0]?.body).toEqual({ model: 'lab/large' })
    await press('Continue')
    await at('Mail')
  })

  it('saves a mail server only after a test mail was sent through it [AD-01]', async () => {
    const refused = { outcome: 'sign_in_refused' as const, said: '535 no' }
    const { called } = await open('/setup?step=mail', { tested: refused })
    await user.type(await screen.findByLabelText('Server'), 'smtp.orsane.eu')
    await user.type(screen.getByLabelText('Sender'), 'atrium@orsane.eu')
    await press('Send a test mail')
    expect(await screen.findByText(/The server refused the sign-in/)).toBeDefined()
    expect(screen.getByText(/535 no/)).toBeDefined()
    expect(called('PUT /admin/mail')).toHaveLength(0)
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    leaveApp()
    const again = await open('/setup?step=mail')
    await user.type(await screen.findByLabelText('Server'), 'smtp.orsane.eu')
    await user.type(screen.getByLabelText('Sender'), 'atrium@orsane.eu')
    await press('Send a test mail')
    expect(await screen.findByText(/A test mail is on its way to claire.delmas@orsane.eu/)).toBeDefined()
    expect(again.called('PUT /admin/mail')[0]?.body).toMatchObject({ host: 'smtp.orsane.eu', port: 587 })
    await press('Continue')
    await at('Public address')
  })

  it('shows a mail server set by the environment as read-only [AD-13]', async () => {
    const mail: MailSettings = {
      ...noMail,
      source: 'environment',
      host: 'smtp.house',
      sender: 'a@house',
      fixed_by: ['SMTP_URL', 'MAIL_FROM'],
    }
    const { called } = await open('/setup?step=mail', { mail })
    expect(await screen.findByText(/set by SMTP_URL/)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Server').disabled).toBe(true)
    await press('Send a test mail')
    await screen.findByText(/on its way/)
    expect(called('POST /admin/mail/test')[0]?.body).toEqual({})
    expect(called('PUT /admin/mail')).toHaveLength(0)
  })

  it('shows the sign-up message for strangers after the policy is set [AD-01]', async () => {
    await open('/setup?step=sign_up')
    await user.click(await screen.findByRole('radio', { name: /By invitation/ }))
    await press('Save')
    expect(await screen.findByText(/An account is made by invitation/)).toBeDefined()
    await press('Continue')
    await at('Atrium is ready')
  })
})
