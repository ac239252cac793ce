import type { Language } from '#shared/platform/primitives.ts'
import { NO_IMAGE_MODEL } from '#shared/tools/tools/image-choices.ts'
import { courtesies, refusals, talkPhrases } from './talk-phrases.ts'

/** Texts of the built-in model in both languages. Arguments replace each `{}`, in order. */
const phrases = {
  en: {
    ...talkPhrases.en,
    about:
      'I am the model built into Atrium. I work without a key and without a network, and I do not invent anything. I calculate, convert units, count days, tell the time anywhere, call the tools of this chat, and work on a text you give me: summary, outline, counts, sorting, tables, and the addresses, dates and amounts in it.\n\nFor open questions, connect a language model: an administrator adds a provider, or the address of a server such as Ollama, under [Models](/admin/models). The choice then appears under the message box.',
    summary: 'The sentences that carry the text:',
    outline: 'The outline of the text:',
    counts: 'The text has **{}**, {} ({} without spaces), {} and {}.',
    count_names: 'word/words,character/characters,sentence/sentences,line/lines',
    none_found: 'There is none in this text.',
    nothing: 'Put the text behind the instruction, in the same message.',
    failed: 'The tool could not do this: {}',
    undone: 'I could not do this part: “{}”.',
    result: 'The result:',
    proposed: 'Here is a schedule. Nothing runs before you confirm it.',
    cut: 'I read the first {} characters of this message, not the rest.',
    share: '{} is **{}** of {}.',
    share_about: '{} is about **{}** of {}.',
    mixed_units: 'Units of different kinds cannot be converted or added: {} and {}.',
    no_day: 'There is no such day: {}.',
    too_far: 'That day lies outside the calendar I count in.',
    is_day: 'Today is **{}** ({}).',
    was_day: 'That was **{}**.',
    will_be_day: 'That will be **{}**.',
    weekday: 'That is **{}**.',
    time: 'It is **{}** (UTC).',
    between: 'There are **{}** between {} and {}.',
    between_one: 'There is **{}** between {} and {}.',
    month_length: '{} has **{} days**.',
    leap: '{} is a leap year.',
    no_leap: '{} is not a leap year.',
    code: 'The program printed:',
    code_silent: 'The program ran and printed nothing.',
    code_failed: 'The program failed: {}',
    code_made: 'It made: {}.',
    picture: 'Here is the image.',
    pictures: 'Here are {} images.',
    pictures_failed: 'Not made: {}; the card says why.',
    no_picture: 'No image was made; the card says why.',
    weather: 'In {} it is now **{} °F**, {}. Humidity is {} %, the wind blows at {} mph.',
  },
  fr: {
    ...talkPhrases.fr,
    about:
      'Je suis le modèle intégré à Atrium. Je fonctionne sans clé et sans réseau, et je n’invente rien. Je calcule, je convertis des unités, je compte des jours, je donne l’heure partout, j’appelle les outils de cette conversation et je travaille sur un texte que vous me donnez : résumé, plan, décompte, tri, tableaux, et les adresses, dates et montants qu’il contient.\n\nPour les questions ouvertes, connectez un modèle de langage : un administrateur ajoute un fournisseur, ou l’adresse d’un serveur comme Ollama, dans [Modèles](/admin/models). Le choix apparaît ensuite sous la zone de saisie.',
    summary: 'Les phrases qui portent le texte :',
    outline: 'Le plan du texte :',
    counts: 'Le texte compte **{}**, {} ({} sans les espaces), {} et {}.',
    count_names: 'mot/mots,caractère/caractères,phrase/phrases,ligne/lignes',
    none_found: 'Il n’y en a pas dans ce texte.',
    nothing: 'Placez le texte après la consigne, dans le même message.',
    failed: 'L’outil n’a pas pu le faire : {}',
    undone: 'Je n’ai pas pu faire cette partie : « {} ».',
    result: 'Le résultat :',
    proposed: 'Voici une planification. Rien n’est exécuté avant votre confirmation.',
    cut: 'J’ai lu les {} premiers caractères de ce message, pas la suite.',
    share: '{} représente **{}** de {}.',
    share_about: '{} représente environ **{}** de {}.',
    mixed_units: 'Des unités de nature différente ne peuvent être ni converties ni additionnées : {} et {}.',
    no_day: 'Cette date n’existe pas : {}.',
    too_far: 'Ce jour sort du calendrier dans lequel je compte.',
    is_day: 'Nous sommes le **{}** ({}).',
    was_day: 'C’était le **{}**.',
    will_be_day: 'Ce sera le **{}**.',
    weekday: 'C’est le **{}**.',
    time: 'Il est **{}** (UTC).',
    between: 'Il y a **{}** entre le {} et le {}.',
    between_one: 'Il y a **{}** entre le {} et le {}.',
    month_length: '{} compte **{} jours**.',
    leap: '{} est une année bissextile.',
    no_leap: '{} n’est pas une année bissextile.',
    code: 'Le programme a affiché :',
    code_silent: 'Le programme s’est exécuté sans rien afficher.',
    code_failed: 'Le programme a échoué : {}',
    code_made: 'Il a produit : {}.',
    picture: 'Voici l’image.',
    pictures: 'Voici {} images.',
    pictures_failed: 'Non réalisées : {} ; la carte en donne la raison.',
    no_picture: 'Aucune image n’a été réalisée ; la carte en donne la raison.',
    weather: 'À {}, il fait actuellement **{} °F**, {}. L’humidité est de {} % et le vent souffle à {} mph.',
  },
} as const

export type Phrase = keyof (typeof phrases)['en']

export function say(language: Language, phrase: Phrase, ...what: string[]): string {
  const [first = '', ...rest] = phrases[language][phrase].split('{}')
  return rest.reduce((text, part, at) => text + (what[at] ?? '') + part, first)
}

/** Errors of tools in French. */
const failures: Record<string, string> = {
  [NO_IMAGE_MODEL]:
    'aucun modèle capable de réaliser des images n’est connecté. Un administrateur peut en connecter un dans la page Modèles.',
  'Division by zero is not possible.': 'une division par zéro n’est pas possible.',
  'The result is too large to be shown.': 'le résultat est trop grand pour être affiché.',
  'There is no real number that is this root.': 'aucun nombre réel n’est cette racine.',
}

/** Returns the sentence for a failure: its own where one is known, otherwise one that quotes the tool. */
export function sayFailure(language: Language, sentence: string): string {
  const french = failures[sentence]
  if (french === undefined) return say(language, 'failed', sentence)
  return language === 'en' ? sentence : french.charAt(0).toUpperCase() + french.slice(1)
}

const openings = [
  ...(['nothing', 'failed', 'no_answer_yet', ...refusals] as const).flatMap((phrase) =>
    [phrases.en, phrases.fr].map((said) => said[phrase].replace('{}', '')),
  ),
  ...Object.keys(failures).flatMap((sentence) => [sentence, sayFailure('fr', sentence)]),
]
const politeness = ([...courtesies, 'about'] as const)
  .flatMap((phrase) => [phrases.en, phrases.fr].map((said) => said[phrase] as string))
  .sort((a, b) => b.length - a.length)

/** Returns whether an answer of this model says that it could not answer. */
export const isUnanswered = (text: string): boolean => openings.some((start) => text.startsWith(start))

/** Returns whether an answer of this model consists of courtesies only. */
export const isPoliteness = (text: string): boolean =>
  text !== '' && politeness.reduce((rest, said) => rest.replaceAll(said, ''), text).trim() === ''
