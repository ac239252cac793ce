import { beginVisit, readVisit as readMet, type Visit } from '#shared/chat/embeds/embeds.ts'
import { currentLanguage } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { visitWith } from '../../platform/lib/me/token.ts'
import { keepVisit, readVisit } from '../../platform/lib/visit/visit.ts'

/**
 * Opens the assistant of this tab's token, with the existing visit or a new one.
 * @returns the assistant's public data; null if nothing is open here
 */
export async function openVisit(signal: AbortSignal): Promise<Visit | null> {
  const kept = readVisit()
  // The signed-in user of this browser is not used.
  visitWith(kept?.visit ?? '')
  if (!kept) return null
  if (kept.visit) {
    const met = await orClosed(call(readMet, { signal, quiet: true }))
    if (met) return met
    visitWith('')
  }
  const body = { token: kept.token, language: currentLanguage() }
  const begun = await orClosed(call(beginVisit, { body, signal, quiet: true }))
  if (!begun) return null
  const { visit, ...met } = begun
  keepVisit({ token: kept.token, visit, sessionId: null })
  visitWith(visit)
  return met
}

async function orClosed<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (isApiError(error, 401)) return null
    throw error
  }
}
