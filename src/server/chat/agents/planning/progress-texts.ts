import type { Language } from '#shared/platform/primitives.ts'

/** Progress texts of planning agents, by language. */
const texts = {
  en: {
    planning: 'Planning',
    answering: 'Writing the answer',
    used: 'Used: ',
    dividing: 'Dividing the task',
  },
  fr: {
    ...{ planning: 'Préparation du plan', answering: 'Rédaction de la réponse', used: 'Outils utilisés : ' },
    dividing: 'Répartition de la tâche',
  },
} as const

export function progressText(language: Language, text: keyof (typeof texts)['en']): string {
  return texts[language][text]
}
