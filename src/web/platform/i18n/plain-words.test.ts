import { describe, expect, it } from 'vitest'
import { Namespace } from '#shared/platform/translations.ts'

const files = import.meta.glob<{ default: object }>('../../../../locales/*/*.json', { eager: true })

/** Technical words that users need not know. */
const engineers = {
  en: /\b(regex\w*|patterns?|ECONN\w+|ENOTFOUND|fetch\w*|beliefs?|orchestrat\w+|(multi|single).?turn|model calls?|arguments?|executions?|executed?|embeddings?|rerank\w*|endpoints?|payloads?|tracebacks?|null|undefined|uuids?|schemas?|booleans?|polic(y|ies)|markdown|json|base url|environment|(the|this|a|each|no) run)\b/i,
  fr: /(?<!\p{L})(regex\p{L}*|ECONN\w+|ENOTFOUND|fetch\p{L}*|orchestrat\p{L}+|(multi|simple).?tours?|appels? au modèle|arguments?|exécutions?|vectorisation|reclassement|payloads?|null|undefined|uuids?|schémas?|booléens?|politiques?|markdown|json|url de base|environnement|points? de contrôle|tokens?)(?!\p{L})/iu,
}

/** Places where a technical word is meant: super admin pages, an input type, texts required by the ledger. */
const meant = [
  /^admin:debug\./,
  /^vectors:/,
  /^streaming_blocks:input\.types\.json$/,
  /^tools:inputs\.json$/,
  /^admin:models\.form\.url_hint$/,
  // People who describe an API use this word for its answers.
  /^own_tools:(answer|media)\./,
  /^own_tools:openapi\.where_hint$/,
  /^documents:preview\.media_failed$/,
  // People who let a program start a schedule use this word for its calls.
  /^schedules:(call|test)\./,
  /^streaming_blocks:markdown\.formats\./,
  /^exports:formats\./,
  // Other products name their files so.
  /^imports:source\.(how\.|kinds$)/,
  /^tool_ui:code_interpreter\.(ready_to_execute|failed)$/,
]

describe.each(['en', 'fr'] as const)('texts on screen in %s', (language) => {
  it.each(Namespace.options)('of %s use the words of their users', (ns) => {
    const texts = files[`../../../../locales/${language}/${ns}.json`]?.default
    if (!texts) throw new Error(`${ns} is missing in ${language}`)
    const found = flatten(texts)
      .map(([key, text]) => [`${ns}:${key}`, text] as const)
      .filter(
        ([key, text]) =>
          engineers[language].test(withoutValues(text)) && !meant.some((place) => place.test(key)),
      )
    expect(found).toEqual([])
  })
})

const withoutValues = (text: string) => text.replace(/\{\{\w+\}\}/g, '')

function flatten(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flatten(value, `${path}${key}.`),
  )
}
