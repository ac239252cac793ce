import type { Language } from '#shared/platform/primitives.ts'
import type { MemoryRefusal, ToldMemory } from '../told-memory.ts'

type Texts = {
  kept: (fact: string) => string
  refused: Record<MemoryRefusal, string>
  known: string
  nothing: string
  off: string
  project: string
}

const texts: Record<Language, Texts> = {
  en: {
    kept: (fact) => `I will remember: “${fact}”`,
    refused: {
      key: 'I did not store that: it contains a key. Memory never holds secrets.',
      password: 'I did not store that: it contains a password or a code. Memory never holds secrets.',
      card: 'I did not store that: it contains a card number. Memory never holds secrets.',
      iban: 'I did not store that: it contains an IBAN. Memory never holds secrets.',
      identity: 'I did not store that: it contains an identity number. Memory never holds secrets.',
      sentences: 'I did not store that: a fact is one sentence. Tell me each fact separately.',
      length: 'I did not store that: it is too long for a fact. Shorten it.',
      full: 'I did not store that: memory is full. Delete facts that no longer matter.',
      no_project: 'I did not store that: this chat is in no project to which you may add facts.',
    },
    known: 'This is what I remember about you:',
    nothing: 'I remember nothing about you yet. Write “Remember that …” to tell me a fact.',
    off: 'In this chat memory is off: I read no fact and will keep none.',
    project: 'of the project',
  },
  fr: {
    kept: (fact) => `Je retiens : « ${fact} »`,
    refused: {
      key: 'Je ne l’ai pas retenu : ce texte contient une clé. La mémoire ne contient jamais de secrets.',
      password:
        'Je ne l’ai pas retenu : ce texte contient un mot de passe ou un code. La mémoire ne contient jamais de secrets.',
      card: 'Je ne l’ai pas retenu : ce texte contient un numéro de carte. La mémoire ne contient jamais de secrets.',
      iban: 'Je ne l’ai pas retenu : ce texte contient un IBAN. La mémoire ne contient jamais de secrets.',
      identity:
        'Je ne l’ai pas retenu : ce texte contient un numéro d’identité. La mémoire ne contient jamais de secrets.',
      sentences: 'Je ne l’ai pas retenu : un fait tient en une phrase. Donnez-moi chaque fait séparément.',
      length: 'Je ne l’ai pas retenu : ce texte est trop long pour un fait. Raccourcissez-le.',
      full: 'Je ne l’ai pas retenu : la mémoire est pleine. Supprimez des faits devenus inutiles.',
      no_project:
        'Je ne l’ai pas retenu : cette conversation n’est dans aucun projet auquel vous pouvez ajouter des faits.',
    },
    known: 'Voici ce que je retiens de vous :',
    nothing: 'Je ne retiens encore rien de vous. Écrivez « Retiens que … » pour me donner un fait.',
    off: 'Dans cette conversation, la mémoire est désactivée : je n’ai lu aucun fait et n’en retiendrai aucun.',
    project: 'du projet',
  },
}

/** Says what was stored or refused, and lists the facts when the person asks for them. */
export function sayMemory({ facts, remembered, asksAboutMe, isOff }: ToldMemory, language: Language): string {
  const said = texts[language]
  const lines = remembered.map(({ text, reason }) =>
    reason === null ? said.kept(text) : said.refused[reason],
  )
  if (isOff && remembered.every(({ reason }) => reason !== null)) return said.off
  if (!asksAboutMe) return lines.join('\n\n')
  const known = facts.map(({ text, isOfProject }) => `- ${text}${isOfProject ? ` (${said.project})` : ''}`)
  return [...lines, known.length > 0 ? `${said.known}\n\n${known.join('\n')}` : said.nothing].join('\n\n')
}
