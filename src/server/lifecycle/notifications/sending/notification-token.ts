import * as z from 'zod'
import { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import { AppError } from '#shared/platform/errors.ts'
import { SecretError, type Secrets } from '../../../platform/secrets.ts'

/** Names the purpose, because texts sealed for another one open too. */
const Unsubscription = z.object({
  stops: z.literal('notification_mails'),
  userId: z.uuid(),
  kind: z.union([NotificationKind, z.literal('digest')]),
})
export type Unsubscription = Pick<z.infer<typeof Unsubscription>, 'userId' | 'kind'>

/** Returns the token that stops mails of one kind for a person, and does nothing else. It does not expire. */
export function sealUnsubscription(secrets: Secrets, { userId, kind }: Unsubscription): string {
  return secrets.seal(JSON.stringify({ stops: 'notification_mails', userId, kind }))
}

/** Returns the person and kind of a token. @throws AppError `token_invalid` */
export function openUnsubscription(secrets: Secrets, token: string): Unsubscription {
  try {
    return Unsubscription.parse(JSON.parse(secrets.open(token)))
  } catch (error) {
    if (error instanceof SecretError || error instanceof SyntaxError || error instanceof z.ZodError)
      throw invalidLink()
    throw error
  }
}

export const invalidLink = () =>
  new AppError(
    'token_invalid',
    'This link is not valid. Turn the mails off in your settings for notifications.',
  )
