import type { Language } from '#shared/platform/primitives.ts'
import type { Budget, UsedUp } from './budget.ts'

const texts = {
  en: {
    planning: 'Planning the research',
    writing: 'Writing the report',
    approve: ({ searches, minutes, dollars }: Budget) =>
      `This is the plan of the research. You can change it before you approve it. It takes at most ${searches} searches, ${minutes} minutes and $${dollars}.`,
    leaves: (engines: string) => `The questions go to ${engines} as they stand here.`,
    questions: 'Questions, one a line',
    again:
      'Which question is to be searched for again? Write its number, or its number and a new wording, such as “2: …”. A question without a number is added.',
    noSearch:
      'Deep research needs the web search or the document search. Allow one of them on the page Tools, or choose another way of working.',
    nothing: 'The searches found nothing that answers this. Searched for:',
    notFound: 'nothing was found',
    evidence: 'What was found, and where',
    columns: ['Question', 'Finding', 'Source'],
    doubtful: 'not certain',
    left: {
      searches: 'not searched for: all searches were used',
      minutes: 'not searched for: the time was over',
      dollars: 'not searched for: the money was used up',
    } satisfies Record<UsedUp, string>,
  },
  fr: {
    planning: 'Préparation de la recherche',
    writing: 'Rédaction du rapport',
    approve: ({ searches, minutes, dollars }: Budget) =>
      `Voici le plan de la recherche. Vous pouvez le modifier avant de l’approuver. Elle fera au plus ${searches} recherches, en ${minutes} minutes et pour ${dollars} $ au maximum.`,
    leaves: (engines: string) => `Les questions sont envoyées à ${engines} telles qu’elles figurent ici.`,
    questions: 'Questions, une par ligne',
    again:
      'Quelle question faut-il chercher à nouveau ? Indiquez son numéro, ou son numéro et une nouvelle formulation, par exemple « 2 : … ». Une question sans numéro est ajoutée.',
    noSearch:
      'La recherche approfondie a besoin de la recherche web ou de la recherche dans les documents. Autorisez l’une d’elles dans la page Outils, ou choisissez un autre mode de travail.',
    nothing: 'Les recherches n’ont rien donné qui réponde à cette question. Cherché :',
    notFound: 'rien n’a été trouvé',
    evidence: 'Ce qui a été trouvé, et où',
    columns: ['Question', 'Constat', 'Source'],
    doubtful: 'incertain',
    left: {
      searches: 'non cherché : toutes les recherches ont été utilisées',
      minutes: 'non cherché : le temps était écoulé',
      dollars: 'non cherché : le budget était épuisé',
    } satisfies Record<UsedUp, string>,
  },
}

/** Returns the research texts in the user's language. */
export function researchText(language: Language): (typeof texts)['en'] {
  return texts[language]
}
