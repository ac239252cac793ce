import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, text } from '../../platform/primitives.ts'

/** Kinds of accounts: entered by hand, or connected on the page of their service. */
export const AccountKind = z.enum(['imap', 'caldav', 'google', 'microsoft', 'jira'])
export type AccountKind = z.infer<typeof AccountKind>
export const EnteredKind = z.enum(['imap', 'caldav'])
export type EnteredKind = z.infer<typeof EnteredKind>

/** An account of the caller for mail, calendar or tickets, without its secrets. */
export const PersonalAccount = z.object({
  kind: AccountKind,
  /** False when this installation has no client at the service. */
  is_offered: z.boolean(),
  /** Null when it is not connected. */
  connected: z.nullable(z.object({ address: z.string(), at: z.string() })),
})
export type PersonalAccount = z.infer<typeof PersonalAccount>

const line = (most: number) => z.string().check(z.trim(), atMost(most), z.regex(/^[^\r\n\0]*$/))
const port = z.int().check(z.gte(1), z.lte(65_535))
const Security = z.enum(['tls', 'starttls'])

/** A mailbox: where mails are read (IMAP) and sent (SMTP). */
export const ImapSettings = z.object({
  address: line(320).check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  /** Name of the sender. */
  name: z.optional(line(200)),
  username: line(320).check(z.minLength(1)),
  password: text(1, 1000),
  imap_host: line(255).check(z.minLength(1)),
  imap_port: port,
  imap_security: Security,
  smtp_host: line(255).check(z.minLength(1)),
  smtp_port: port,
  smtp_security: Security,
})
export type ImapSettings = z.infer<typeof ImapSettings>

/** A calendar on a CalDAV server. */
export const CaldavSettings = z.object({
  address: line(320).check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  url: z.string().check(atMost(2000), z.url({ protocol: /^https?$/ })),
  username: line(320).check(z.minLength(1)),
  password: text(1, 1000),
})
export type CaldavSettings = z.infer<typeof CaldavSettings>

export const ACCOUNT_PAGE = '/user/accounts'
export const PERSONAL_RETURN = '/personal-accounts/return'

export const listPersonalAccounts = route({
  method: 'GET',
  path: '/personal-accounts',
  access: 'user',
  summary: 'The accounts for mail, calendar and tickets that the caller can connect, and those that are',
  answer: z.object({ items: z.array(PersonalAccount) }),
})

const connects = { access: 'user', fails: ['not_available'], answer: PersonalAccount } as const

export const connectMailbox = route({
  ...connects,
  method: 'PUT',
  path: '/personal-accounts/imap',
  summary: 'Try a mailbox and connect it for the caller alone',
  body: ImapSettings,
})

export const connectCalendar = route({
  ...connects,
  method: 'PUT',
  path: '/personal-accounts/caldav',
  summary: 'Try a calendar and connect it for the caller alone',
  body: CaldavSettings,
})

const params = z.object({ accountKind: AccountKind })

export const signInPersonalAccount = route({
  method: 'POST',
  path: '/personal-accounts/:accountKind/sign-in',
  access: 'user',
  may: null,
  fails: ['not_available'],
  summary: 'Begin to connect an account of the caller: the address where their browser goes for their leave',
  params,
  answer: z.object({ url: z.string() }),
})

export const disconnectPersonalAccount = route({
  method: 'DELETE',
  path: '/personal-accounts/:accountKind',
  access: 'user',
  may: null,
  status: 204,
  summary: 'Forget an account of the caller with its secrets',
  params,
})

/** Outcome of a sign-in, sent as `account` in the return address. */
export const PersonalOutcome = z.enum(['connected', 'refused', 'expired', 'failed'])
export type PersonalOutcome = z.infer<typeof PersonalOutcome>

/** Handles the browser's return from a service and redirects it to the page of the accounts. */
export const returnToAccounts = route({
  method: 'GET',
  path: PERSONAL_RETURN,
  access: 'public',
  summary: 'Return from a service with the leave of a person to use their mail, calendar or tickets',
  status: 302,
  query: z.object({
    state: z.optional(text(0, 8_000)),
    code: z.optional(text(0, 8_000)),
    error: z.optional(text(0, 4_000)),
  }),
})
