import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { ManagedUser } from './administration.ts'

const about = {
  access: 'admin',
  may: 'manage user',
  params: z.object({ userId: Id }),
} as const

/** Ends all sign-ins of a person, who may sign in again. */
export const endSignInsOf = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/sign-out',
  summary: 'End every sign-in of a person',
  status: 204,
})

/** Ends the sign-ins of everybody in a company, except the one that asks. */
export const signOutCompany = route({
  method: 'POST',
  path: '/admin/companies/:companyId/sign-out',
  access: 'admin',
  may: 'manage company',
  summary: 'End every sign-in of the people of a company; they can sign in again',
  params: z.object({ companyId: Id }),
  answer: z.object({
    /** People who were signed out. */
    people: z.int(),
  }),
})

/** Sends a person a link to reset the password. */
export const sendPasswordResetTo = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/password-reset',
  summary: 'Mail a person a link that sets a new password',
  /** False when no mail server is configured; the mail is then in the outbox. */
  answer: z.object({ is_mailed: z.boolean() }),
})

/** Removes a person's authenticator app, recovery codes and passkeys, and ends their sign-ins. */
export const resetSecondFactorOf = route({
  ...about,
  method: 'DELETE',
  path: '/admin/users/:userId/second-factor',
  summary: 'Take the second factor and the passkeys from a person who has lost them',
  status: 204,
})

/** Deactivates a person immediately, including sign-ins and API keys; their data remains. */
export const deactivateUser = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/deactivate',
  summary: 'Shut a person out; all that is theirs stays',
  fails: ['conflict'],
  answer: ManagedUser,
})

/** Removes the address from an account, so that its new owner can use it. The account keeps its data and gets no mail. */
export const releaseAddress = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/release-address',
  summary: 'Take the address from an account, so that who has it now may come in',
  fails: ['conflict'],
  answer: ManagedUser,
})

export const reactivateUser = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/reactivate',
  summary: 'Let a person in again',
  answer: ManagedUser,
})
