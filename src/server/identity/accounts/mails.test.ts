import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aVisitor, PASSWORD } from '#tests/visitor.ts'
import { composeMail, harmlessName } from './mails.ts'
import { mailTexts, requestLanguage } from './texts.ts'

const purposes = ['verify_email', 'reset_password', 'password_changed'] as const
const link = 'https://atrium.example.com/login/verify-email?token=a-b_c&x="><script>'

describe('a mail', () => {
  it.each(['en', 'fr'] as const)('escapes user-supplied markup in %s', (language) => {
    const name = `</p><script>alert(1)</script><img src=x onerror="y" '{{username}} $& $1`
    for (const purpose of purposes) {
      const { subject, text, html } = composeMail(
        mailTexts(language),
        purpose,
        { name, username: '<b>ada</b>' },
        link,
      )
      expect(html).not.toMatch(/<(script|img|b)\b|onerror="|token=a-b_c&x="/i)
      const tags = [...html.matchAll(/<\/?([a-z!]+)/g)].map(([, tag]) => tag)
      expect([...new Set(tags)].sort()).toEqual(['!doctype', 'a', 'body', 'br', 'div', 'html', 'p'])
      expect(text).toContain(name)
      expect(text).toContain(link)
      for (const words of [subject, text, html.replaceAll('&#123;', '')]) {
        expect(words.replaceAll('{{username}}', '')).not.toContain('{{')
      }
      expect(subject).not.toContain('ada')
    }
  })
})

it('has the same content as HTML and text, with the action as a button and as a plain link', () => {
  const texts = mailTexts('en')
  const { subject, text, html } = composeMail(
    texts,
    'verify_email',
    { name: 'Ada', username: 'ada' },
    'https://a.test/?b&c',
  )
  const { action, intro, outro } = texts.verify_email
  expect(subject).toBe(texts.verify_email.subject)
  const filled = (words: string) => words.replace(' {{name}}', ' Ada').replace(' {{username}}', ' ada')
  const lines = [texts.greeting, intro, outro].map(filled)
  expect(text.split('\n\n')).toEqual([lines[0], lines[1], `${action}:\nhttps://a.test/?b&c`, lines[2]])
  const shown = html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  for (const line of lines) expect(shown).toContain(`<p>${line}</p>`)
  expect(shown.split('href="https://a.test/?b&c"')).toHaveLength(3)
  expect(shown).toContain(`>${action}</a>`)
  expect(
    composeMail(texts, 'verify_email', null, 'x').text.startsWith(texts.greeting.replace(' {{name}}', '')),
  ).toBe(true)
})

describe('a name in a mail', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Dr. J.R. Müller-O’Neil', 'Dr. J.R. Müller-O’Neil'],
    ['Visit evil.com now', 'Visit … now'],
    ['at https://evil.example/now', 'at …'],
    ['www.evil.example', '…'],
    ['me@evil.com', '…'],
    ['evil。com and evil．com', '… and …'],
    ['//evil tel:123 c:\\evil', '… … …'],
    ['ev\u200bil.c\u00adom', '…'],
    ['a\u202eb\u0000c\n\nd', 'abc d'],
    ['x'.repeat(200), `${'x'.repeat(59)}…`],
    ['  ', ''],
  ])('%j becomes %j', (name, shown) => {
    expect(harmlessName(name)).toBe(shown)
  })
})

describe('account mails', () => {
  let app: TestApp
  let visitor: ReturnType<typeof aVisitor>
  beforeAll(async () => {
    app = await startApp({ config: { ATRIUM_EMAIL_VERIFICATION: 'required' } })
    visitor = aVisitor(app)
    await visitor.signUp('root')
  })
  afterAll(() => app.close())

  it("are in the recipient's language [SV-03, SV-04, SV-05]", async () => {
    for (const [username, language] of [
      ['anna', 'en'],
      ['amelie', 'fr'],
    ] as const) {
      await visitor.signUp(username, { language })
      const to = `${username}@example.com`
      await visitor.mailedToken(to, 'verify-email')
      await visitor.send('POST', '/users/request-password-reset', { email: to })
      const token = await visitor.mailedToken(to, 'reset-password')
      await visitor.send('POST', '/users/reset-password', { token, new_password: `${PASSWORD} 2` })
      await untilTrue(() => visitor.mails(to).length === 3)
      const subjects = visitor.mails(to).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])
      const texts = mailTexts(language)
      expect(subjects.sort()).toEqual(purposes.map((purpose) => texts[purpose].subject).sort())
    }
  })

  it('put links only into files that only the owner can read', async () => {
    await visitor.signUp('lena')
    const token = await visitor.mailedToken('lena@example.com', 'verify-email')
    const outbox = join(app.dataDir, 'outbox')
    expect(statSync(outbox).mode & 0o777).toBe(0o700)
    const names = readdirSync(outbox)
    expect(names.every((name) => (statSync(join(outbox, name)).mode & 0o777) === 0o600)).toBe(true)
    const holders = names.filter((name) => readFileSync(join(outbox, name), 'utf8').includes(token))
    expect(holders).toHaveLength(1)
    const { rows } = await app.deps.db
      .selectFrom('one_time_tokens')
      .selectAll()
      .execute()
      .then((found) => ({ rows: JSON.stringify(found) }))
    expect(rows).not.toContain(token)
  })

  it('contain no user-written text until the address is proved', async () => {
    const full_name = 'Win a prize\n\nat https://evil.example.com/now or evil.example.org'
    await visitor.signUp('prize.evil.example.net', { email: 'victim@example.com', full_name })
    await visitor.mailedToken('victim@example.com', 'verify-email')
    await visitor.send('POST', '/users/request-password-reset', { email: 'victim@example.com' })
    await visitor.mailedToken('victim@example.com', 'reset-password')
    const mails = visitor.mails('victim@example.com')
    expect(mails).toHaveLength(2)
    for (const mail of mails) {
      expect(mail).toContain('Hello,')
      expect(mail).not.toMatch(/prize|evil|\{\{/i)
    }
    expect(mails[1]).toContain('for your account.')
  })

  it('greet a user with a proved address by name, without anything clickable', async () => {
    await visitor.signUp('nora', { full_name: 'Nora de St. Clair, J.R.' })
    const verify = await visitor.mailedToken('nora@example.com', 'verify-email')
    await visitor.send('POST', `/users/verify-email?token=${verify}`)
    await visitor.send('POST', '/users/request-password-reset', { email: 'nora@example.com' })
    await visitor.mailedToken('nora@example.com', 'reset-password')
    expect(visitor.mails('nora@example.com').at(-1)).toContain('Hello Nora de St. Clair, J.R.,')
  })

  it('are not sent for unknown users', async () => {
    const before = countMails(app)
    await visitor.send('POST', '/users/request-password-reset', { email: 'nobody@example.com' })
    await visitor.signUp('last')
    await visitor.mailedToken('last@example.com', 'verify-email')
    expect(countMails(app)).toBe(before + 1)
  })
})

describe('the response language', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['fr', 'fr'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['de-DE,de;q=0.9,fr;q=0.5,en;q=0.4', 'fr'],
    ['en;q=0.1, fr;q=0.9', 'fr'],
    ['fr;q=0', 'en'],
    ['es, it', 'en'],
    ['*', 'en'],
    ['en-fr', 'en'],
    [';;;,,=q', 'en'],
  ] as const)('for %j is %s', (header, language) => {
    expect(requestLanguage({ headers: { 'accept-language': header } })).toBe(language)
  })
})

async function untilTrue(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 1200 && !isTrue(); i += 1) await new Promise((resolve) => setTimeout(resolve, 25))
}

function countMails({ dataDir }: TestApp): number {
  const outbox = join(dataDir, 'outbox')
  return existsSync(outbox) ? readdirSync(outbox).length : 0
}
