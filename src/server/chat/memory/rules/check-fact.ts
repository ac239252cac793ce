import { MAX_FACT, type RefusalReason } from '#shared/chat/memory/fact.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { memoryRefusals } from '../../../models/models/told-memory.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import { findSecret } from './find-secret.ts'

/** Returns a fact as it is stored, or the reason why it cannot be one. */
export function checkFact(given: string): { text: string } | { reason: RefusalReason } {
  const text = cleanCharacters(cleanLabel(given)).replace(/\s+/g, ' ').trim()
  const secret = findSecret(text)
  if (secret) return { reason: secret }
  if (text.length > MAX_FACT) return { reason: 'length' }
  if (!/[\p{L}\p{N}]/u.test(text) || countSentences(text) > 1) return { reason: 'sentences' }
  return { text }
}

/** @throws AppError `invalid` with the reason */
export function requireFact(given: string): string {
  const checked = checkFact(given)
  if ('reason' in checked)
    throw new AppError('invalid', sayReason(checked.reason), {
      errors: [{ path: 'text', message: checked.reason }],
    })
  return checked.text
}

/** A sentence ends with a mark before a space and a capital letter. Abbreviations of up to three letters do not end one. */
function countSentences(text: string): number {
  return text.split(/(?<=[\p{L}\p{N})»”"]{4}[.!?…]+["”»]?)\s+(?=[\p{Lu}\p{N}«“"])/u).length
}

/** Returns the sentence that tells why a text cannot be a fact. */
const sayReason = (reason: RefusalReason): string =>
  reason === 'length' ? `A fact has at most ${MAX_FACT} characters. Shorten it.` : memoryRefusals[reason]
