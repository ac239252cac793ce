import { AppError } from '#shared/platform/errors.ts'
import { type ApiDescription, MAX_DESCRIPTION_CHARACTERS } from '#shared/tools/own-tools/openapi.ts'
import { createThread } from '../../../platform/outbound/foreign/thread.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import { sayPrivate } from '../say-private.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import type { MadeCall } from './make-call.ts'
import type { Reading } from './read-thread.ts'

export type Where = { text?: string | undefined; address?: string | undefined }
type Source = { text: string; base: string | null }

const SECONDS = 30
const MEGABYTES = 512

/** Returns the text of a description, as given or downloaded. @throws AppError `invalid`, and errors of `outbound.fetch` */
export async function fetchDescription(
  { outbound, config }: Pick<OwnToolDeps, 'outbound' | 'config'>,
  { text, address }: Where,
): Promise<Source> {
  if (text !== undefined) return { text: assertSize(text), base: null }
  if (address === undefined)
    throw new AppError('invalid', 'Choose a file, or enter the address of a description.')
  const answer = await outbound
    .fetch(address, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      ...{ maxBytes: MAX_DESCRIPTION_CHARACTERS, trusted: config.ATRIUM_TOOLS_PRIVATE },
    })
    .catch((error) => {
      throw error instanceof AppError && error.code === 'too_large' ? tooLong() : sayPrivate(error)
    })
  if (!answer.ok) throw new AppError('unavailable', `${new URL(answer.url).host} answered ${answer.status}.`)
  return { text: assertSize(answer.text()), base: answer.url }
}

function assertSize(text: string): string {
  if (text.length > MAX_DESCRIPTION_CHARACTERS) throw tooLong()
  return text
}

const tooLong = () =>
  new AppError('too_large', `The description is longer than ${MAX_DESCRIPTION_CHARACTERS / 1_000_000} MB.`)

/** Describes the content of a description. @throws AppError `invalid` */
export async function describeText({ text, base }: Source): Promise<ApiDescription> {
  const read = (await readApart({ text, base, pick: null })) as Omit<ApiDescription, 'characters'>
  return { ...read, characters: text.length }
}

/** Converts operations of a description to calls of a server. @throws AppError `invalid` */
export async function pickCalls({ text, base }: Source, keys: string[], server: string): Promise<MadeCall[]> {
  return (await readApart({ text, base, pick: { keys, server } })) as MadeCall[]
}

const tooHard = () =>
  new AppError('invalid', 'The description cannot be read: it is too large or too complex.')

/** An untrusted text may be large or built to be slow, so it is parsed in a thread, one description at a time. */
const thread = createThread<Reading, unknown>(codeUrl('src/server/tools/own-tools/openapi/read-thread.ts'), {
  ...{ seconds: SECONDS, megabytes: MEGABYTES, tooMuch: tooHard },
})

function readApart(reading: Reading): Promise<unknown> {
  return thread.run(reading)
}
