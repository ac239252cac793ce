import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { ManagedUser } from './administration.ts'

const about = {
  access: 'admin',
  may: 'manage user',
  params: z.object({ userId: Id }),
} as const

/** Ends all sign-ins of a person; they may sign in again. */
export const endSignInsOf = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/sign-out',
  summary: 'End every sign-in of a person',
  status: 204,
})

/** Mails a person a link that sets a new password, as they could ask for themselves. */
export const sendPasswordResetTo = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/password-reset',
  summary: 'Mail a person a link that sets a new password',
  /** False: no mail server is set up, and the mail lies in the outbox of the installation. */
  answer: z.object({ is_mailed: z.boolean() }),
})

/** Takes code app, recovery codes and passkeys from a person who has lost them, and ends their sign-ins. */
export const resetSecondFactorOf = route({
  ...about,
  method: 'DELETE',
  path: '/admin/users/:userId/second-factor',
  summary: 'Take the second factor and the passkeys from a person who has lost them',
  status: 204,
})

/** Shuts a person out at once, sign-ins and API keys included; all that is theirs stays. */
export const deactivateUser = route({
  ...about,
  method: 'POST',
  path: '/admin/users/:userId/deactivate',
  summary: 'Shut a person out; all that is theirs stays',
  fails: ['conflict'],
  answer: ManagedUser,
})

/** Takes the address from an account, for somebody else who has it now. The account keeps all that is theirs and gets no mail. */
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
