import * as z from 'zod'
import type { Mail } from '../../platform/mail/mail.ts'
import { button, escapeHtml, page, paragraph } from '../../platform/mail/mail-html.ts'
import type { Platform } from '../../platform/platform.ts'
import { findMailLook, wearLook } from '../branding/branding.ts'
import { isUnprovedAdministrator } from './hand-over/hand-over-store.ts'
import { findByEmail } from './store.ts'
import { type MailTexts, mailTexts } from './texts.ts'
import { makeOneTimeToken } from './tokens/one-time-token-store.ts'

const Purpose = z.enum([
  'verify_email',
  'reset_password',
  'reset_by_administrator',
  'password_changed',
  'factors_changed',
  'chats_opened',
])
type Purpose = z.infer<typeof Purpose>

const jobName = 'accounts.mail'
const Payload = z.object({ purpose: Purpose, email: z.string() })

/**
 * Queues a mail. It takes an address instead of a user, and looks the account up later, so that the response time does not reveal
 * whether it exists. The queue holds no secrets.
 */
export async function requestMail(
  { jobs }: Pick<Platform, 'jobs'>,
  purpose: Purpose,
  email: string,
): Promise<void> {
  await jobs.add(jobName, { purpose, email })
}

/** Returns whether addresses must be proved before the first sign-in: by setting, else when mail can be sent. */
export async function mustProveAddresses({
  config,
  mail,
}: Pick<Platform, 'config' | 'mail'>): Promise<boolean> {
  const said = config.ATRIUM_EMAIL_VERIFICATION
  return said ? said === 'required' : (await mail.host()) !== null
}

/** Registers the job that sends account mails. */
export function registerMails(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { purpose, email } = Payload.parse(payload)
    await sendAccountMail(deps, purpose, email)
  })
}

async function sendAccountMail(deps: Platform, purpose: Purpose, email: string): Promise<void> {
  const user = await findByEmail(deps, email)
  if (!user || (purpose === 'verify_email' && user.email_verified_at)) return
  const isClosed = await isUnprovedAdministrator(deps.db, user.id)
  const isRefused = isClosed && (purpose === 'verify_email' || purpose === 'reset_password')
  const link = isRefused ? `${deps.publicUrl()}/login` : await makeLink(deps, purpose, user, isClosed)
  const text = isRefused ? 'not_by_mail' : purpose === 'reset_by_administrator' ? 'reset_password' : purpose
  const look = await findMailLook(deps.db, { userId: user.id })
  const texts = mailTexts(user.language === 'fr' ? 'fr' : 'en', look?.name)
  await deps.mail.send(wearLook(look, { to: user.email, ...composeMail(texts, text, namesFor(user), link) }))
}

async function makeLink(
  deps: Platform,
  purpose: Purpose,
  user: { id: string; email: string },
  isClosed: boolean,
): Promise<string> {
  const base = `${deps.publicUrl()}/login`
  if (purpose === 'password_changed' || purpose === 'factors_changed') return `${base}/forgot-password`
  if (purpose === 'chats_opened') return `${deps.publicUrl()}/user/security`
  const reset = isClosed ? 'let_in' : 'reset_password'
  const token = await makeOneTimeToken(deps, purpose === 'verify_email' ? purpose : reset, user)
  return `${base}/${purpose === 'verify_email' ? 'verify-email' : 'reset-password'}?token=${token}`
}

type Named = { username: string; full_name: string | null; email_verified_at: Date | null }

/** Returns the names for a mail. Until the address is proved they are empty, because anyone may sign up with a foreign address. */
export function namesFor({ username, full_name, email_verified_at }: Named) {
  return email_verified_at && { name: harmlessName(full_name ?? '') || username, username }
}

const longestName = 60
/** Matches text that a mail program may turn into a link: addresses, paths, phone numbers, dotted words. */
const linkable = /[@/\\:]|[.。][\p{L}\p{N}]{2}/u

/** Sanitizes a name for a mail: one short line without invisible characters or link-like text. */
export function harmlessName(name: string): string {
  const seen = name
    .normalize('NFKC')
    .replace(/\s/gu, ' ')
    .replace(/[\p{C}\p{DI}]/gu, '')
  const words = seen.split(' ').filter(Boolean)
  const line = [...words.map((word) => (linkable.test(word) ? '…' : word)).join(' ')]
  return line.length > longestName ? `${line.slice(0, longestName - 1).join('')}…` : line.join('')
}

type Name = 'name' | 'username' | 'inviter' | 'company'

type OtherMail = 'change_email' | 'email_changed' | 'invitation' | 'account_handed_over' | 'not_by_mail'

/** Composes a mail as text and HTML and escapes all user-written text. */
export function composeMail(
  texts: MailTexts,
  purpose: Exclude<Purpose, 'reset_by_administrator'> | OtherMail,
  names: Partial<Record<Name, string>> | null,
  link: string,
): Omit<Mail, 'to'> {
  const fill = (text: string) =>
    text.replace(/ \{\{(name|username|inviter|company)\}\}/g, (_, key: Name) =>
      names?.[key] ? ` ${names[key]}` : '',
    )
  const { subject, action } = texts[purpose]
  const [greeting, intro, outro] = [texts.greeting, texts[purpose].intro, texts[purpose].outro].map(fill) as [
    string,
    string,
    string,
  ]
  return {
    subject,
    text: [greeting, intro, `${action}:\n${link}`, outro].join('\n\n'),
    html: page([
      paragraph(greeting),
      paragraph(intro),
      button(action, link),
      `<p style="color:#555">${escapeHtml(texts.plain_link)}<br><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
      paragraph(outro),
    ]),
  }
}
