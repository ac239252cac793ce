import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, Notice, text } from '../../platform/primitives.ts'
import { User } from './accounts.ts'
import { Email } from './email.ts'
import { Password } from './password-policy.ts'
import { passwordFailures } from './password-strength.ts'

/** A device a person is signed in on. Details its browser does not send are null; `program` is any client without a known screen. */
export const SignIn = z.object({
  id: Id,
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  form: z.enum(['computer', 'phone', 'tablet', 'program']),
  address: z.nullable(z.string()),
  created_at: z.string(),
  /** Accurate to one minute. */
  last_used_at: z.string(),
  /** True for the sign-in of this call. */
  current: z.boolean(),
})
export type SignIn = z.infer<typeof SignIn>

export const listSignIns = route({
  method: 'GET',
  path: '/users/me/tokens',
  access: 'user',
  summary: 'Where the caller is signed in',
  pages: 1_000,
  answer: z.object({ items: z.array(SignIn) }),
})

export const endSignIn = route({
  method: 'DELETE',
  path: '/users/me/tokens/:signInId',
  access: 'user',
  may: 'write sign-in',
  summary: 'Sign out one device of the caller',
  params: z.object({ signInId: Id }),
  answer: Notice,
})

export const endSignIns = route({
  method: 'DELETE',
  path: '/users/me/tokens',
  access: 'user',
  summary: 'Sign out everywhere, or everywhere else',
  query: z.object({ except: z.optional(z.literal('this')) }),
  answer: Notice,
})

export const changeEmail = route({
  method: 'POST',
  path: '/users/me/change-email',
  access: 'user',
  fails: ['email_taken'],
  summary: 'Take another address; where addresses are proved, a link is mailed to it first',
  /** Omit the password for an account that has none and signed in recently. */
  body: z.object({ email: Email, current_password: z.optional(text(1, 256)) }),
  answer: z.object({ message: z.string(), verification_required: z.boolean() }),
})

/** Returns the caller's picture; 204 without one. */
export const getPicture = route({
  method: 'GET',
  path: '/users/me/picture',
  access: 'user',
  sends: 'image/*',
  alsoStatus: [204],
  summary: 'The picture of the caller',
})
export const putPicture = route({
  method: 'PUT',
  path: '/users/me/picture',
  access: 'user',
  fails: ['not_found'],
  upload: true,
  summary: 'Set the picture of the caller: one file in PNG, JPEG or WebP',
  answer: User,
})
export const deletePicture = route({
  method: 'DELETE',
  path: '/users/me/picture',
  access: 'user',
  fails: ['not_found'],
  summary: 'Remove the picture of the caller',
  answer: User,
})

export const changePassword = route({
  method: 'POST',
  path: '/users/me/change-password',
  access: 'user',
  beforeNewPassword: true,
  fails: passwordFailures,
  summary: 'Change the password',
  /** Omit the current password for an account that has none; this sets its first one. */
  body: z.object({ current_password: z.optional(text(1, 256)), new_password: Password }),
  answer: Notice,
})

export const listCompaniesForSelect = route({
  method: 'GET',
  path: '/users/_internal/companies_for_select',
  access: 'admin',
  summary: 'Companies an admin may choose from',
  pages: 1_000,
  answer: z.array(z.object({ id: Id, name: z.string() })),
})

export const Connection = z.object({
  provider: z.string(),
  /** Display name. */
  name: z.string(),
  email: z.nullable(z.string()),
  connected_at: z.string(),
})
export type Connection = z.infer<typeof Connection>

export const listSignOnConnections = route({
  method: 'GET',
  path: '/users/me/sign-on-connections',
  access: 'user',
  summary: 'Connected sign-on services',
  answer: z.object({
    items: z.array(Connection),
    /** Services configured here that the person has not connected. */
    others: z.array(z.pick(Connection, { provider: true, name: true })),
    has_password: z.boolean(),
  }),
})

/** Returns the address at which the browser signs in to the service; it then returns to the security page. */
export const connectSignOn = route({
  method: 'POST',
  path: '/users/me/sign-on-connections',
  access: 'user',
  fails: ['not_available'],
  summary: 'Begin to connect a sign-on service with the account of the caller',
  /** Omit the password for an account that has none and signed in recently. */
  body: z.object({
    provider: text(1, 40),
    redirect_uri: z.string().check(atMost(2000), z.url()),
    current_password: z.optional(text(1, 256)),
  }),
  answer: z.object({ url: z.string() }),
})

export const deleteSignOnConnection = route({
  method: 'DELETE',
  path: '/users/me/sign-on-connections/:provider',
  access: 'user',
  fails: ['conflict'],
  may: null,
  summary: 'Disconnect a sign-on service',
  params: z.object({ provider: text(0, 40) }),
  answer: Notice,
})
