import { say } from '../phrases.ts'
import type { Answer, Question } from './skill.ts'

type Reply = 'hello' | 'evening' | 'thanks' | 'bye' | 'well' | 'about'

/** What people say to begin and to end, without its signs. */
const said: [Reply, RegExp][] = [
  ['evening', /^(?:good evening|bonsoir)(?: (?:all|atrium|everyone|à tous|à toi|à vous))?$/],
  [
    'hello',
    /^(?:hi|hello|hey|good (?:morning|afternoon|day)|bonjour|salut|coucou)(?: (?:there|all|atrium|everyone|you|à tous|à toi|à vous))?$/,
  ],
  [
    'thanks',
    /^(?:many |ok |great |perfect |super |parfait )?(?:thanks|thank you|thx|cheers|merci)(?: (?:a lot|so much|very much|you|for your help|beaucoup|bien|à toi|à vous|pour ton aide|pour votre aide|infiniment))?$/,
  ],
  [
    'bye',
    /^(?:bye|goodbye|bye bye|good night|see you(?: later| soon)?|au revoir|à bientôt|bonne nuit|bonne soirée|bonne journée|à plus)$/,
  ],
  [
    'well',
    /^(?:how are you(?: today| doing)?|how is it going|how s it going|(?:comment )?ça va|comment (?:vas tu|allez vous|tu vas)|tu vas bien|vous allez bien)$/,
  ],
  [
    'about',
    /^(?:who|what) (?:are|r) you$|^what can you do(?: for me)?$|^what do you do$|^how can you help(?: me)?$|^can you help me$|^help(?: me)?$|^how do you work$|^what is (?:atrium|this)$|^introduce yourself$|^what(?: is| s) your name$|^are you (?:an ai|a bot|a robot|chatgpt|a language model)$/,
  ],
  [
    'about',
    /^(?:qui|qu) (?:es tu|êtes vous)$|^(?:tu es|vous êtes|t es) qui$|^qu est ce que (?:tu sais|tu peux|vous savez|vous pouvez) faire$|^que (?:sais tu|peux tu|savez vous|pouvez vous) faire(?: pour moi)?$|^(?:tu sais|tu peux) faire quoi$|^aide(?: moi)?$|^comment (?:tu t appelles|t appelles tu|vous appelez vous)$|^quel est (?:ton|votre) nom$|^peux tu m aider$|^pouvez vous m aider$|^comment (?:fonctionnes tu|fonctionnez vous|ça marche)$|^présente toi$|^présentez vous$|^(?:es tu|êtes vous) (?:une ia|un robot|chatgpt)$/,
  ],
]
const longest = 80

/** Greetings, thanks, and what the built-in model is and can do. */
export function answerCourtesy({ text, language }: Question): Answer | null {
  if (text.length > longest) return null
  const words =
    text
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.join(' ') ?? ''
  const reply = said.find(([, pattern]) => pattern.test(words))?.[0]
  if (!reply) return null
  // Who asks what it can do is answered; the rest is politeness, and gives way to an answer.
  return reply === 'about' ? { text: say(language, reply) } : { text: say(language, reply), isCourtesy: true }
}
