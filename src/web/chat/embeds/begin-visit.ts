import { beginVisit, readVisit as readMet, type Visit } from '#shared/chat/embeds/embeds.ts'
import { currentLanguage } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { visitWith } from '../../platform/lib/me/token.ts'
import { keepVisit, readVisit } from '../../platform/lib/visit/visit.ts'

/**
 * Opens the assistant of the token this tab was opened with, as the visitor it has been so far, else as a new one.
 * @returns what the visitor meets; null when nothing is open here.
 */
export async function openVisit(signal: AbortSignal): Promise<Visit | null> {
  const kept = readVisit()
  // Nobody who is signed in in this browser is told of, or asked for.
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
