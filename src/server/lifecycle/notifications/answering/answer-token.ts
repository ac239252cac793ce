import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { SecretError, type Secrets } from '../../../platform/secrets.ts'

/** Names the purpose, because texts sealed for another one open too. */
const Sealed = z.object({
  answers: z.literal('input_request'),
  run: z.uuid(),
  key: z.string(),
  user: z.uuid(),
  /** Hash of the address the mail went to. */
  address: z.string(),
  until: z.number(),
})
export type AnswerRight = z.infer<typeof Sealed>
export type Addressee = { id: string; email: string }

/** Returns the token that answers one question for one person until a time, and does nothing else. */
export function sealAnswer(
  secrets: Secrets,
  { run_id, key }: { run_id: string; key: string },
  user: Addressee,
  until: Date,
): string {
  const right: AnswerRight = {
    ...{ answers: 'input_request', run: run_id, key, user: user.id },
    ...{ address: hashOf(user.email), until: until.getTime() },
  }
  return secrets.seal(JSON.stringify(right))
}

/** Returns what a token allows. Its time may be over. @throws AppError `token_invalid` */
export function openAnswer(secrets: Secrets, token: string): AnswerRight {
  try {
    return Sealed.parse(JSON.parse(secrets.open(token)))
  } catch (error) {
    if (error instanceof SecretError || error instanceof SyntaxError || error instanceof z.ZodError)
      throw invalidToken()
    throw error
  }
}

/** Returns whether a token was sent to this address. A token ends when the person changes the address. */
export const isAddressedTo = ({ address }: AnswerRight, email: string) => address === hashOf(email)

const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32)

export const invalidToken = () =>
  new AppError('token_invalid', 'This link is not valid. Open the question in Atrium.')
