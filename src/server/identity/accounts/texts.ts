import type { FastifyRequest } from 'fastify'
import { renameProduct } from '#shared/identity/branding/product-name.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/login.json' with { type: 'json' }
import french from '../../../../locales/fr/login.json' with { type: 'json' }

export type MailTexts = typeof english.mail

/** Returns the mail and notice texts in a language, with the product's name or that of a company. */
export function mailTexts(language: Language, name: string | null = null): MailTexts {
  return renameProduct(language === 'fr' ? french.mail : english.mail, name)
}

/** Returns the requested language: the one with the highest weight (RFC 9110, 12.5.4), else the first. */
export function requestLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  const wishes = (headers['accept-language'] ?? '').split(',').map((wish) => {
    const [range = '', quality = 'q=1'] = wish.split(';', 2).map((part) => part.trim().toLowerCase())
    const weight = quality.startsWith('q=') ? Number(quality.slice(2)) : 0
    return { name: range.split('-', 1)[0], weight }
  })
  const [best] = wishes
    .filter(({ name, weight }) => (name === 'en' || name === 'fr') && weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return best?.name === 'fr' ? 'fr' : 'en'
}

/** Returns a notice text in the requested language. */
export function notice(request: FastifyRequest, key: keyof MailTexts['notices']): { message: string } {
  return { message: mailTexts(requestLanguage(request)).notices[key] }
}
