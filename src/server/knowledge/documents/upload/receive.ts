import type { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { FormOptions } from '#shared/knowledge/documents/uploads.ts'
import { AppError } from '#shared/platform/errors.ts'
import { refuseHalf } from '../../../platform/http/refuse-half.ts'

const FILES_MAX = 100

/**
 * Yields the files of a form, each with the fields before it. Values of a repeated field `name[]` are joined with commas.
 * @throws AppError `malformed`, `invalid`
 */
export async function* receiveFiles(
  request: FastifyRequest,
): AsyncGenerator<{ file: MultipartFile; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new AppError('malformed', 'Send files as multipart form data.')
  const fields: Record<string, string> = {}
  const limits = { files: FILES_MAX, fields: 200, fieldSize: 4096, fileSize: Number.MAX_SAFE_INTEGER }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') yield { file: part, fields }
      else if (typeof part.value === 'string' && part.value !== '') {
        const { fieldname: name, value } = part
        const before = name.endsWith('[]') ? fields[name] : undefined
        fields[name] = before === undefined ? value : `${before},${value}`
      }
    }
  } catch (error) {
    refuseHalf(error as Error)
  }
}

/** Parses the form fields that place a file. @throws AppError `invalid` */
export function readOptions(fields: Record<string, string>): FormOptions {
  const parsed = FormOptions.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new AppError('invalid', `The field ${path} is not valid.`, {
    errors: [{ path, message: issue?.message ?? '' }],
  })
}

/** Passes a file to `take`; refuses it as incomplete when the stream ends early. @throws AppError `malformed`, and errors of `take` */
export async function takeWhole<T>(
  { file }: MultipartFile,
  take: (content: Readable) => Promise<T>,
): Promise<T> {
  return take(file).catch((error) => (file.errored ? refuseHalf(error) : Promise.reject(error)))
}
