import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { SecretError, type Secrets } from '../../../platform/secrets.ts'

/** Names the purpose, because texts sealed for another one open too. */
const Unsubscription = z.object({ stops: z.literal('announcement_mails'), userId: z.uuid() })

/** Returns the token that stops announcements by mail for a person, and does nothing else. It does not expire. */
export function sealUnsubscription(secrets: Secrets, userId: string): string {
  return secrets.seal(JSON.stringify({ stops: 'announcement_mails', userId }))
}

/** Returns the person of a token. @throws AppError `token_invalid` */
export function openUnsubscription(secrets: Secrets, token: string): string {
  try {
    return Unsubscription.parse(JSON.parse(secrets.open(token))).userId
  } catch (error) {
    if (error instanceof SecretError || error instanceof SyntaxError || error instanceof z.ZodError)
      throw invalidLink()
    throw error
  }
}

export const invalidLink = () =>
  new AppError('token_invalid', 'This link is not valid. Turn announcements by mail off in your preferences.')
