import type { TFunction } from 'i18next'
import { readTrouble } from '#shared/models/connections/provider-trouble.ts'

/** Returns a model failure in the person's language with the provider's own words; null for other sentences. */
export function troubleText(t: TFunction, sentence: string): string | null {
  const trouble = readTrouble(sentence)
  if (!trouble) return null
  if (trouble.kind === 'wrong_address' && trouble.said)
    return t('common:provider.wrong_address_at', { address: trouble.said })
  const words = t(`common:provider.${trouble.kind}`)
  return trouble.said ? `${words} ${t('common:provider.said', { text: trouble.said })}` : words
}
