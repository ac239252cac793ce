import type { Phrase } from './phrases.ts'

const MAX_LENGTH = 300

/** Requests that need a language model or a tool, by their words. The first match counts. */
const requests: [Phrase, RegExp][] = [
  [
    'no_translation',
    /(?<!\p{L})(?:translat\p{L}*|tradui\p{L}*|traduction|how (?:do|would) (?:you|i|we) say|how to say|comment (?:dit|dire|dit-on|on dit|dis-tu)(?: on)?|(?:in|into|to) (?:french|english|german|spanish|italian|chinese|japanese|portuguese|dutch|latin)|en (?:français|anglais|allemand|espagnol|italien|chinois|japonais|portugais|latin|néerlandais))(?!\p{L})/iu,
  ],
  [
    'no_code',
    /(?<!\p{L})(?:write|fix|debug|create|make|generate|show|give|explain|review|refactor|écris|écrire|corrige|crée|génère|fais|explique|donne|montre)(?!\p{L}).{0,60}(?<!\p{L})(?:code|function|script|program|regex|sql|query|html|css|python|javascript|typescript|java|fonction|programme|requête|algorithm|algorithme|bash|bug|api)(?!\p{L})|(?<!\p{L})(?:in python|in javascript|in sql|in excel|en python|en javascript|sur excel|dans excel)(?!\p{L})/iu,
  ],
  [
    'no_writing',
    /^(?:(?:please|can you|could you|would you|will you|can u|i need you to|i want you to|help me|hello|hi|hey|bonjour|salut|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|aide-moi à|aidez-moi à|s['’]il te plaît|s['’]il vous plaît|stp|svp)[ ,]{1,2}){0,3}(?:to )?(?:write|draft|compose|rewrite|rephrase|paraphrase|reword|improve|correct|proofread|edit|invent|brainstorm|imagine|tell (?:me|us) (?:a|an|another|some) (?:\p{L}+ )?(?:story|tale|poem|riddle|fact|legend)|tell (?:a|me) (?:story|riddle)|give me (?:some |a few |\d{1,3} )?(?:ideas|names|titles|slogans|examples|tips|suggestions)|create (?:a|an|me)|make (?:a|me a|an) (?:plan|schedule|poem|story|speech|presentation|list|menu|quiz|playlist)|make up|prepare|generate|sing|continue (?:the|this) (?:story|text)|écris|écrire|écrivez|rédige|rédiger|rédigez|compose|composer|réécris|réécrire|reformule|reformuler|reformulez|améliore|améliorer|corrige|corriger|corrigez|invente|inventer|imagine|imaginer|raconte|raconter|racontez|chante|une devinette|une histoire|un poème|a riddle|a story|a poem|propose|proposez|proposer|trouve(?:z)?(?:-moi)? (?:un|une|des) (?:nom|noms|titre|titres|idée|idées|slogan)|donne(?:z)?(?:-moi)? (?:des |une? |\d{1,3} |quelques )?(?:idées?|noms?|titres?|exemples?|conseils?|histoires?|recettes?|suggestions?)|prépare|préparer|crée|créer|génère|générer|fais(?:-moi)? (?:un|une) (?:poème|histoire|plan|liste|discours|planning|programme|menu|quiz|présentation|résumé de livre))(?!\p{L})/iu,
  ],
  [
    'no_deeds',
    /(?<!\p{L})(?:remind me|set (?:a|an|the|my) (?:timer|alarm|reminder)|wake me|call (?:me|my|him|her|mum|mom|dad)|send (?:a|an|the|this|it|him|her|my) ?(?:email|mail|e-mail|message|text|letter|to)?|book (?:a|me|us|an)|order (?:a|me|some) |buy (?:me|a|some) |play (?:some|a|the|my)? ?(?:music|song|video|game)|play (?:chess|music)|turn (?:on|off)|open (?:the|my|a) |schedule (?:a|the)|reserve|pay (?:my|the)|rappelle-moi|rappelez-moi|mets (?:un|une|le|la|de la) (?:réveil|minuteur|alarme|rappel|musique|minuterie)|réveille-moi|envoie|envoyer|envoyez|réserve(?:r|z)?|commande(?:r)? (?:une?|moi|des) |achète|joue (?:de la|une|un|aux)|allume|éteins|ouvre (?:la|le|mon|ma) |appelle (?:ma|mon|le|la|un))(?!\p{L})/iu,
  ],
  [
    'no_news',
    /(?<!\p{L})(?:news|headlines?|latest|stock|stocks|share price|price of|exchange rate|bitcoin|ethereum|weather|forecast|will it (?:rain|snow)|rain(?:ing)? (?:today|tomorrow)|snow(?:ing)? (?:today|tomorrow)|umbrella|traffic|(?:dollars?|euros?|pounds?|usd|eur|gbp|yen|chf|francs?) (?:in|to|into|en) (?:dollars?|euros?|pounds?|usd|eur|gbp|yen|chf|francs?|livres|yens?)|who won|score of|actualités?|nouvelles|infos du jour|bourse|cours (?:de|du)|prix (?:de|du|d['’])|taux de change|météo|pleu(?:t|voir|vra)|neig(?:e|er|era)-?t?|quel temps|parapluie|trafic|embouteillages?|qui a gagné|résultats? du)(?!\p{L})/iu,
  ],
  [
    'no_person',
    /^(?:(?:and|so|et|alors|do you know|tell me|dis-moi|sais-tu) )?(?:what(?:'s|’s| is| was) my|who am i|where (?:am i|do i live)|where (?:is|are) my|how old am i$|when is my|what did i|do you (?:know|remember) (?:me|my|who i am|what i)|what do you know about me|comment (?:est-ce que )?je m['’]appelle|quel(?:le)? (?:est|était) (?:mon|ma)|qui suis-je|où (?:suis-je|est mon|est ma|sont mes|habité-je|j['’]habite)|quel âge ai-je|te souviens-tu de moi|tu te souviens de moi|que sais-tu de moi|tu me connais|tu sais qui je suis|je suis qui)/iu,
  ],
  [
    'no_advice',
    /(?<!\p{L})(?:should i|should we|what do you think|your opinion|recommend\p{L}*|suggest\p{L}*|advice|advise|which is better|what is better|is it (?:better|good|bad|worth|safe|ok|okay|normal) |best (?:way|movie|film|book|restaurant|phone|car|laptop|place|time|day)|what (?:can|shall|should) (?:i|we) (?:eat|cook|wear|watch|read|do|buy|give|make|have)|how (?:can|do|should) i (?:lose|get|become|improve|learn|find|save|stop|make|feel|deal)|do you (?:think|believe|prefer|agree)|penses-tu|pensez-vous|qu['’]en penses-tu|que penses-tu|tu penses quoi|ton avis|votre avis|conseil\p{L}*|recommand\p{L}*|sugg[èé]r\p{L}*|dois-je|devrais-je|faut-il|vaut-il mieux|vaut mieux|(?:le|la) meilleure? |crois-tu|préfères-tu|que (?:manger|faire|cuisiner|regarder|lire|offrir|porter|mettre)|qu['’]est-ce qu(?:e je|['’]on) (?:peut|peux|doit|dois|pourrait|mange|fait)|comment (?:puis-je|faire pour|je peux|perdre|arrêter|apprendre|devenir|améliorer|gagner|mieux))(?!\p{L})/iu,
  ],
  [
    'no_facts',
    /^(?:(?:and|so|but|ok|hello|hi|hey|bonjour|salut|et|alors|mais|please|can you|could you|do you know|you know|tell me|i want to know|i wonder|peux-tu|pouvez-vous|sais-tu|savez-vous|tu sais|dis-moi|dites-moi|je voudrais savoir|j['’]aimerais savoir)[ ,:]{1,2}){0,3}(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|does|do|did|can|has|have|will|explain|describe|define|compare|list|name|tell me about|tell me (?:who|what|when|where|why|how)|capital|meaning|definition|population|give me|recipe|spell|qui|que|quoi|quel|quels|quelle|quelles|quand|où|pourquoi|comment|combien|est-ce|est|qu['’]est-ce|c['’]est quoi|c['’]est qui|définis|définition|explique|expliquez|décris|compare|cite|citez|liste|nomme|parle-moi|capitale|dans quel|dans quelle|en quel|en quelle|à quel|à quelle|de quel|de quelle|depuis quand|recette|y a-t-il|existe-t-il|a-t-on|peut-on|signification|synonyme)(?![\p{L}])/iu,
  ],
]

/** Returns the refusal of a text that no skill answers. */
export function refusalFor(text: string): Phrase {
  const beginning = text.trim().slice(0, MAX_LENGTH)
  return requests.find(([, pattern]) => pattern.test(beginning))?.[0] ?? 'refused'
}
