import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { text } from '../../platform/primitives.ts'

/** Days in which a question can be answered from a mail, if its deadline is not earlier. */
export const MAIL_ANSWER_DAYS = 7

/** Characters of a sealed token, and of an answer. */
const [MAX_TOKEN, MAX_ANSWER] = [2_000, 1_000]
const Token = text(1, MAX_TOKEN)

/** `closed`: the question was answered, has expired, or is gone. */
export const MailQuestionState = z.enum(['waiting', 'answered', 'expired', 'closed'])

/** A question as its addressee sees it without signing in. */
export const MailQuestion = z.object({
  state: MailQuestionState,
  /** Empty once it is no longer waiting. */
  prompt: z.string(),
  /** `boolean`: the answers are `true` and `false`. */
  type: z.enum(['boolean', 'choice']),
  /** Answers of a choice. */
  options: z.array(z.string()),
  deadline: z.nullable(z.string()),
  /** Address of the chat inside the product, for people who sign in. */
  path: z.string(),
})
export type MailQuestion = z.infer<typeof MailQuestion>

/** Uses POST, so that the token appears in no address of the API and no log. It changes nothing. */
export const readMailQuestion = route({
  method: 'POST',
  path: '/mail-answers/read',
  access: 'public',
  fails: ['token_invalid', 'outside_networks'],
  summary: 'The question of a mail, with the token of its link',
  body: z.object({ token: Token }),
  answer: MailQuestion,
})

export const answerMailQuestion = route({
  method: 'POST',
  path: '/mail-answers',
  access: 'public',
  fails: [
    'token_invalid',
    'outside_networks',
    'terms_due',
    'conflict',
    'already_answered',
    'deadline_passed',
  ],
  summary: 'Answer a yes/no or choice question, once, with the token of its mail',
  body: z.object({ token: Token, answer: text(1, MAX_ANSWER) }),
  answer: z.object({ state: z.literal('answered') }),
})
