import type { Language } from '../../src/shared/platform/primitives.ts'

/** Conversations of the demo account in one language, all suitable for the built-in model. */
type Content = {
  sums: { question: string; later: string; reworded: string }
  plan: string
  parts: string
  summary: string
  waiting: string
  checkpoint: string
}

export const content: Record<Language, Content> = {
  en: {
    sums: {
      question: 'A subscription costs 49 a month. What is 49 * 12?',
      later: 'And for 35 people: what is 588 * 35?',
      reworded: 'And for 40 people: what is 588 * 40?',
    },
    plan: 'What is 1800 * 12, then divide it by 52, then add 25',
    parts: 'What is 1250 * 36; what is 1390 * 30; what is 980 * 48',
    summary: [
      'Summarise: The town library lends books, films and music. In spring the library opened a second reading room.',
      'The new reading room has forty desks, and every desk has a lamp. Visitors of the library asked for longer',
      'opening hours. From June on, the reading room stays open until ten in the evening. The café next door closes',
      'at six. The library will ask its visitors in autumn whether the longer opening hours are what they wanted.',
    ].join(' '),
    waiting: 'The budget is 48000 a quarter. What is 48000 * 4?',
    checkpoint: 'After the yearly amount',
  },
  fr: {
    sums: {
      question: 'Un abonnement coûte 49 par mois. Combien font 49 * 12 ?',
      later: 'Et pour 35 personnes : combien font 588 * 35 ?',
      reworded: 'Et pour 40 personnes : combien font 588 * 40 ?',
    },
    plan: 'Combien font 1800 * 12, puis divise-le par 52, puis ajoute 25',
    parts: 'Combien font 1250 * 36 ; combien font 1390 * 30 ; combien font 980 * 48',
    summary: [
      'Résume : La bibliothèque de la ville prête des livres, des films et de la musique. Au printemps, la bibliothèque',
      'a ouvert une seconde salle de lecture. La nouvelle salle de lecture compte quarante tables, et chaque table a',
      'sa lampe. Les visiteurs de la bibliothèque demandaient des horaires plus larges. À partir de juin, la salle de',
      'lecture reste ouverte jusqu’à dix heures du soir. Le café voisin ferme à six heures. La bibliothèque demandera',
      'en automne à ses visiteurs si les nouveaux horaires leur conviennent.',
    ].join(' '),
    waiting: 'Le budget est de 48000 par trimestre. Combien font 48000 * 4 ?',
    checkpoint: 'Après le montant annuel',
  },
}
