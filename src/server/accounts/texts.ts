import type { FastifyRequest } from 'fastify'
import type { Language } from '#shared/primitives.ts'
import english from '../../../locales/en/login.json' with { type: 'json' }
import french from '../../../locales/fr/login.json' with { type: 'json' }

export type MailTexts = typeof english.mail

/** The texts of mails and notices in a language. */
export function mailTexts(language: Language): MailTexts {
  return language === 'fr' ? french.mail : english.mail
}

/** The language a request asks for; of several, the one named first. */
export function requestLanguage(request: FastifyRequest): Language {
  const named = /\b(en|fr)\b/i.exec(request.headers['accept-language'] ?? '')
  return named?.[1]?.toLowerCase() === 'fr' ? 'fr' : 'en'
}

/** One of the notices that answers carry, in the language the request asks for. */
export function notice(request: FastifyRequest, key: keyof MailTexts['notices']): { message: string } {
  return { message: mailTexts(requestLanguage(request)).notices[key] }
}
