/** What the built-in model says, in both languages; `{}` stands for what belongs there. */
const phrases = {
  en: {
    about:
      'I am the model built into Atrium. I work without a key and without a network, and I do not invent anything: I calculate, call the tools of this chat, and summarise a text you give me.\n\nFor open questions, connect a language model: an administrator opens **Models** in the profile menu and adds a provider or the address of a server such as Ollama. The choice then appears under the message box.',
    summary: 'The sentences that carry the text:',
    nothing: 'There is no text to summarise. Put it after “Summarise:” in the same message.',
    failed: 'The tool could not do this: {}',
    undone: 'I could not do this part: “{}”.',
    result: 'The result:',
    cut: 'I read the first {} characters of this message, not the rest.',
    weather:
      'In {location} it is now **{temperature} °F**, {condition}. Humidity is {humidity} %, the wind blows at {wind_speed} mph.',
  },
  fr: {
    about:
      'Je suis le modèle intégré à Atrium. Je fonctionne sans clé et sans réseau, et je n’invente rien : je calcule, j’appelle les outils de cette conversation et je résume un texte que vous me donnez.\n\nPour les questions ouvertes, connectez un modèle de langage : un administrateur ouvre **Modèles** dans le menu du profil et ajoute un fournisseur ou l’adresse d’un serveur comme Ollama. Le choix apparaît ensuite sous la zone de saisie.',
    summary: 'Les phrases qui portent le texte :',
    nothing: 'Il n’y a pas de texte à résumer. Placez-le après « Résume : » dans le même message.',
    failed: 'L’outil n’a pas pu le faire : {}',
    undone: 'Je n’ai pas pu faire cette partie : « {} ».',
    result: 'Le résultat :',
    cut: 'J’ai lu les {} premiers caractères de ce message, pas la suite.',
    weather:
      'À {location}, il fait actuellement **{temperature} °F**, {condition}. L’humidité est de {humidity} % et le vent souffle à {wind_speed} mph.',
  },
} as const

export type Phrase = keyof (typeof phrases)['en']

export function say(language: 'en' | 'fr', phrase: Phrase, what = ''): string {
  return phrases[language][phrase].replace('{}', () => what)
}

/** Whether an answer of this model says that there was none to give. */
export function isUnanswered(text: string): boolean {
  return Object.values(phrases).some(({ about, nothing, failed }) =>
    [about, nothing, failed.replace('{}', '')].some((start) => text.startsWith(start)),
  )
}
