import type * as z from 'zod'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { MailSettings, MailTest, setMailSettings } from '#shared/lifecycle/setup/setup.ts'
import { AppError } from '#shared/platform/errors.ts'
import english from '../../../../locales/en/setup.json' with { type: 'json' }
import french from '../../../../locales/fr/setup.json' with { type: 'json' }
import { type Actor, changed, changesBetween, writeAudit } from '../../identity/audit/audit.ts'
import { assertFree, givenOf } from '../../platform/config/fixed-settings.ts'
import { explainFailure, type MailServer } from '../../platform/mail/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { dropMailSettings, findMailSettings, putMailSettings } from './setup-store.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'secrets' | 'clock' | 'mail' | 'publicUrl'>
type Draft = z.output<(typeof setMailSettings)['body'] & {}>

/** Default ports of a mail server. */
const usualPort = { tls: 465, starttls: 587 }
const nowhere: MailSettings = {
  ...{ source: 'none', host: '', port: usualPort.starttls, security: 'starttls' },
  ...{ username: null, has_password: false, sender: '', fixed_by: [] },
}

/** Returns the mail settings: from the environment, else set by a super admin, else the outbox folder. */
export async function readMailSettings({ db, config }: Deps): Promise<MailSettings> {
  if (config.SMTP_URL) return settingsOf(config.SMTP_URL, config.MAIL_FROM)
  const kept = await findMailSettings(db)
  if (!kept) return nowhere
  const { password_sealed: sealed, ...settings } = kept
  return { ...settings, source: 'database', has_password: sealed !== null, fixed_by: [] }
}

/** @throws AppError `conflict` while the environment decides, `invalid` without a password that may be used */
export async function changeMailSettings(deps: Deps, actor: Actor, draft: Draft): Promise<MailSettings> {
  assertFree(givenOf(deps.config, 'SMTP_URL'))
  const { db, clock, secrets } = deps
  await db.transaction().execute(async (trx) => {
    const before = await findMailSettings(trx)
    const { password, ...server } = await complete({ ...deps, db: trx }, draft)
    const sealed = password === null ? null : secrets.seal(password)
    await putMailSettings(trx, { ...server, password_sealed: sealed }, clock.now())
    const facts = before ? factsOf(before) : {}
    const changes = changesBetween(facts, factsOf(server))
    const replaced = draft.password ? changed('password', null, 'replaced') : []
    await writeAudit(trx, clock.now(), {
      ...{ actor, did: 'mail.changed', subject: server.host, changes: [...changes, ...replaced] },
    })
  })
  return readMailSettings(deps)
}

/** @throws AppError `conflict` while the environment decides */
export async function forgetMailSettings(deps: Deps, actor: Actor): Promise<void> {
  assertFree(givenOf(deps.config, 'SMTP_URL'))
  await deps.db.transaction().execute(async (trx) => {
    const before = await findMailSettings(trx)
    if (!before || !(await dropMailSettings(trx))) return
    const changes = changed('host', before.host, null)
    await writeAudit(trx, deps.clock.now(), { actor, did: 'mail.changed', subject: before.host, changes })
  })
}

/** Sends a test mail to the caller, through the given server or the current settings. */
export async function tryMail(deps: Deps, user: User, draft: Draft | null): Promise<MailTest> {
  const mail = { to: user.email, ...writeTest(user, deps.publicUrl()) }
  if (draft) assertFree(givenOf(deps.config, 'SMTP_URL'))
  const server = draft && (await complete(deps, draft))
  try {
    if (server) await deps.mail.sendThrough(server, mail)
    else if ((await deps.mail.host()) !== null) await deps.mail.send(mail)
    else throw new AppError('conflict', 'There is no mail server yet. Name one first.')
    return { outcome: 'sent', to: user.email, said: null }
  } catch (error) {
    if (error instanceof AppError) throw error
    return { ...explainFailure(error), to: user.email }
  }
}

/** Adds the stored password, but only for the same server and user. */
async function complete({ db, secrets }: Deps, draft: Draft): Promise<MailServer> {
  const { password: given, ...server } = { ...draft, username: draft.username || null }
  if (!server.username) return { ...server, password: null }
  if (given) return { ...server, password: given }
  const kept = await findMailSettings(db)
  const isSame = (['host', 'port', 'security', 'username'] as const).every((of) => kept?.[of] === server[of])
  if (isSame && kept?.password_sealed) return { ...server, password: secrets.open(kept.password_sealed) }
  const errors = [{ path: 'password', message: 'is needed' }]
  throw new AppError('invalid', 'Enter the password of the mail server.', { errors })
}

function writeTest({ language }: User, url: string) {
  const { subject, text } = (language === 'fr' ? french : english).mail.test
  const words = text.replace('{{url}}', url)
  const html = words.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
  return { subject, text: words, html: `<p>${html}</p>` }
}

function settingsOf(address: string, sender: string): MailSettings {
  const { protocol, hostname, port, username, password } = new URL(address)
  const security = protocol === 'smtps:' ? 'tls' : 'starttls'
  return {
    ...{ source: 'environment', host: hostname, security, sender },
    port: Number(port) || usualPort[security],
    username: username ? decodeURIComponent(username) : null,
    has_password: password !== '',
    fixed_by: ['SMTP_URL', 'MAIL_FROM'],
  }
}

const factsOf = ({ host, port, security, username, sender }: Omit<MailServer, 'password'>) => ({
  ...{ host, port: String(port), security, username, sender },
})
