/** Replies to small talk, refusals by the kind of request, and answers to follow-ups, in both languages. */
export const talkPhrases = {
  en: {
    hello: 'Hello! What can I do for you?',
    hello_short: 'Hello!',
    morning: 'Good morning! What can I do for you?',
    morning_short: 'Good morning!',
    afternoon: 'Good afternoon! What can I do for you?',
    afternoon_short: 'Good afternoon!',
    evening: 'Good evening! What can I do for you?',
    evening_short: 'Good evening!',
    night: 'Good night!',
    thanks: 'You are welcome.',
    bye: 'Goodbye!',
    day: 'Thank you, the same to you!',
    well: 'All is well, thank you. What can I do for you?',
    well_short: 'All is well, thank you.',
    glad: 'Glad to hear it. What can I do for you?',
    sorry: 'No problem at all.',
    yes: 'All right. What shall I do?',
    no: 'All right, then I do nothing.',
    ok: 'All right.',
    joke: 'Why do programmers mix up Halloween and Christmas? Because OCT 31 is DEC 25.',
    praise: 'Thank you, that is kind.',
    blame: 'I am sorry. I work by rules and misread some questions; another wording may help.',
    love: 'Thank you! I am a set of rules and have no feelings, but I am happy to calculate for you.',
    mood: 'I am sorry to hear that. I am a set of rules and no good company, but I gladly calculate or summarise for you.',
    person: 'I am the model built into Atrium: a set of rules, not a person and not a language model.',
    made: 'I am the model built into Atrium, a self-hosted workspace; its developers wrote the rules I work by.',
    speaks: 'I speak English and French only.',
    present: 'Yes, I am here. What can I do for you?',
    ask: 'Of course. What would you like to know?',
    meet: 'Nice to meet you too! What can I do for you?',
    wishes: 'Thank you, the same to you!',
    wait: 'I wait for your next message.',
    laugh: 'Glad you are amused. What can I do for you?',
    lost: 'Tell me in other words what you need: I calculate, convert units, count days, tell the time anywhere, and work on a text you give me.',

    connect:
      'An administrator connects a model under [Models](/admin/models): a provider with its key, or the address of a server such as Ollama; it then appears in the model choice under the message box.',
    tools:
      'I call the tools of this chat when a message asks for them, such as “Search my documents for …” or “Search the web for …”.',
    refused:
      'I am not a language model, so I cannot answer that; an administrator connects one under [Models](/admin/models).',
    no_facts:
      'I am not a language model and know no facts about the world, so I cannot answer that; an administrator connects a model under [Models](/admin/models).',
    no_translation:
      'I cannot translate, because I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_writing:
      'I cannot write texts of my own, because I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_advice:
      'I have no opinions and give no advice, because I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_news:
      'I have no live data such as news, prices or the weather, and I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_code:
      'I cannot write or explain code, because I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_deeds:
      'I cannot act outside this chat, such as sending, booking or reminding, and I am not a language model; an administrator connects one under [Models](/admin/models).',
    no_person:
      'I know nothing about you beyond this chat, and I am not a language model; an administrator connects one under [Models](/admin/models).',

    no_answer_yet: 'There is no earlier answer in this chat that I could work on.',
    short_already: 'That is already as short as I can make it.',
    no_longer: 'I have nothing to add: I write no texts of my own, because I am not a language model.',
    why_rules:
      'Because I work by fixed rules: I read what you wrote and calculate or look it up; I cannot give reasons beyond that.',
    why_refused:
      'Because I work by fixed rules and am not a language model; an administrator connects one under [Models](/admin/models).',
    sure: 'Yes: I work it out by fixed rules, and the same question always gets the same answer. Check what I read from your question, though.',

    unknown_place:
      'I do not know the place “{}”, so I cannot tell its time; a capital or another large city may help.',
    time_here: 'It is **{}** ({}).',
    time_in: 'It is **{}** {} ({}).',
    several_times: 'There are several time zones {}: clocks there show between {} and {}.',
    day_in: 'It is **{}** {} ({}).',
    same_time: '{} and {} have the same time at the moment.',
    time_ahead: '{} is **{}** ahead of {} at the moment.',
    next_day: '(the next day)',
    day_before: '(the day before)',
    converted_time: 'When it is {} {}, it is **{}** {}{}.',
    time_then: 'It {} **{}** ({}).',
    year_now: 'It is the year **{}**.',
    month_now: 'It is **{}**.',
    week_now: 'It is week **{}** of {} (ISO 8601).',
    year_days: 'The year {} has **{} days**.',
    left: 'There are **{}** left until {}.',
    age: 'Someone born in {} is **{}** or **{}** years old in {}, depending on the birthday.',
    day_is: '{} is on **{}**.',
    years_between: 'There are **{} years** between {} and {}.',

    is_years:
      '“{}” reads as a range of years, and I do not subtract it; write “{} minus {}” for the difference.',
    is_dash: '“{}” may be a score, a range or a subtraction; write “{} minus {}” for the difference.',
    is_phone:
      '“{}” reads as a number of its own, such as a phone number, a date or a name, and I do not calculate with it.',
    change: 'The change is **{}**: {}.',
    missing: 'It is not enough: **{}** are missing ({}).',
    each: 'Each share is **{}**: {}.',
    tip: 'The tip is **{}**, which makes **{}** in total.',
  },
  fr: {
    hello: 'Bonjour ! Que puis-je faire pour vous ?',
    hello_short: 'Bonjour !',
    morning: 'Bonjour ! Que puis-je faire pour vous ?',
    morning_short: 'Bonjour !',
    afternoon: 'Bonjour ! Que puis-je faire pour vous ?',
    afternoon_short: 'Bonjour !',
    evening: 'Bonsoir ! Que puis-je faire pour vous ?',
    evening_short: 'Bonsoir !',
    night: 'Bonne nuit !',
    thanks: 'Avec plaisir.',
    bye: 'Au revoir !',
    day: 'Merci, à vous aussi !',
    well: 'Tout va bien, merci. Que puis-je faire pour vous ?',
    well_short: 'Tout va bien, merci.',
    glad: 'Tant mieux. Que puis-je faire pour vous ?',
    sorry: 'Il n’y a pas de mal.',
    yes: 'Très bien. Que dois-je faire ?',
    no: 'Très bien, je ne fais rien.',
    ok: 'Très bien.',
    joke: 'Pourquoi les plongeurs plongent-ils toujours en arrière ? Parce que sinon, ils tomberaient dans le bateau.',
    praise: 'Merci, c’est gentil.',
    blame:
      'Désolé. Je fonctionne selon des règles et je lis mal certaines questions ; une autre formulation peut aider.',
    love: 'Merci ! Je ne suis qu’un ensemble de règles, sans sentiments, mais je calcule volontiers pour vous.',
    mood: 'J’en suis désolé. Je ne suis qu’un ensemble de règles et de piètre compagnie, mais je calcule ou résume volontiers pour vous.',
    person:
      'Je suis le modèle intégré à Atrium : un ensemble de règles, ni une personne ni un modèle de langage.',
    made: 'Je suis le modèle intégré à Atrium, un espace de travail auto-hébergé ; ses développeurs ont écrit mes règles.',
    speaks: 'Je ne parle que l’anglais et le français.',
    present: 'Oui, je suis là. Que puis-je faire pour vous ?',
    ask: 'Bien sûr. Que voulez-vous savoir ?',
    meet: 'Enchanté également ! Que puis-je faire pour vous ?',
    wishes: 'Merci, à vous aussi !',
    wait: 'J’attends votre prochain message.',
    laugh: 'Ravi de vous amuser. Que puis-je faire pour vous ?',
    lost: 'Dites-moi autrement ce qu’il vous faut : je calcule, je convertis des unités, je compte des jours, je donne l’heure partout et je travaille sur un texte que vous me donnez.',

    connect:
      'Un administrateur connecte un modèle dans [Modèles](/admin/models) : un fournisseur avec sa clé, ou l’adresse d’un serveur comme Ollama ; il apparaît ensuite dans le choix du modèle sous la zone de saisie.',
    tools:
      'J’appelle les outils de cette conversation quand un message le demande, par exemple « Cherche dans mes documents … » ou « Cherche sur le web … ».',
    refused:
      'Je ne suis pas un modèle de langage et ne peux pas répondre à cela ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_facts:
      'Je ne suis pas un modèle de langage, ne connais aucun fait sur le monde et ne peux pas répondre à cela ; un administrateur connecte un modèle dans [Modèles](/admin/models).',
    no_translation:
      'Je ne peux pas traduire, car je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_writing:
      'Je ne peux pas écrire de textes moi-même, car je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_advice:
      'Je n’ai pas d’avis et ne donne pas de conseils, car je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_news:
      'Je n’ai pas de données en direct comme l’actualité, les prix ou la météo, et je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_code:
      'Je ne peux ni écrire ni expliquer du code, car je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_deeds:
      'Je ne peux pas agir hors de cette conversation, par exemple envoyer, réserver ou rappeler, et je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    no_person:
      'Je ne sais rien de vous en dehors de cette conversation, et je ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',

    no_answer_yet:
      'Cette conversation ne contient pas encore de réponse sur laquelle je pourrais travailler.',
    short_already: 'Je ne peux pas faire plus court.',
    no_longer:
      'Je n’ai rien à ajouter : je n’écris pas de textes moi-même, car je ne suis pas un modèle de langage.',
    why_rules:
      'Parce que je fonctionne selon des règles fixes : je lis ce que vous écrivez, puis je calcule ou je consulte ; je ne peux pas donner d’autres raisons.',
    why_refused:
      'Parce que je fonctionne selon des règles fixes et ne suis pas un modèle de langage ; un administrateur en connecte un dans [Modèles](/admin/models).',
    sure: 'Oui : je fonctionne selon des règles fixes, et la même question reçoit toujours la même réponse. Vérifiez toutefois ce que j’ai lu dans votre question.',

    unknown_place:
      'Je ne connais pas le lieu « {} » et ne peux donc pas en donner l’heure ; une capitale ou une autre grande ville peut aider.',
    time_here: 'Il est **{}** ({}).',
    time_in: 'Il est **{}** {} ({}).',
    several_times: 'Il y a plusieurs fuseaux horaires {} : les horloges y affichent entre {} et {}.',
    day_in: 'Nous sommes le **{}** {} ({}).',
    same_time: '{} et {} ont la même heure en ce moment.',
    time_ahead: '{} a **{}** d’avance sur {} en ce moment.',
    next_day: '(le lendemain)',
    day_before: '(la veille)',
    converted_time: 'Quand il est {} {}, il est **{}** {}{}.',
    time_then: 'Il {} **{}** ({}).',
    year_now: 'Nous sommes en **{}**.',
    month_now: 'Nous sommes en **{}**.',
    week_now: 'Nous sommes dans la semaine **{}** de {} (ISO 8601).',
    year_days: 'L’année {} compte **{} jours**.',
    left: 'Il reste **{}** jusqu’au {}.',
    age: 'Une personne née en {} a **{}** ou **{}** ans en {}, selon son anniversaire.',
    day_is: '{} tombe le **{}**.',
    years_between: 'Il y a **{} ans** entre {} et {}.',

    is_years:
      '« {} » se lit comme une période d’années, et je ne la soustrais pas ; écrivez « {} moins {} » pour la différence.',
    is_dash:
      '« {} » peut être un score, un intervalle ou une soustraction ; écrivez « {} moins {} » pour la différence.',
    is_phone:
      '« {} » se lit comme un nombre à part, par exemple un numéro de téléphone, une date ou un nom, et je ne calcule pas avec.',
    change: 'La monnaie à rendre est de **{}** : {}.',
    missing: 'Cela ne suffit pas : il manque **{}** ({}).',
    each: 'Chaque part est de **{}** : {}.',
    tip: 'Le pourboire est de **{}**, ce qui fait **{}** au total.',
  },
} as const

/** Refusals. The working memory keeps their questions as open. */
export const refusals = [
  'refused',
  'no_facts',
  'no_translation',
  'no_writing',
  'no_advice',
  'no_news',
  'no_code',
  'no_deeds',
  'no_person',
] as const

export const courtesies = [
  ...([
    'hello',
    'morning',
    'afternoon',
    'evening',
    'night',
    'thanks',
    'bye',
    'day',
    'well',
    'glad',
    'sorry',
    'yes',
  ] as const),
  ...([
    'no',
    'ok',
    'joke',
    'praise',
    'blame',
    'love',
    'mood',
    'person',
    'made',
    'present',
    'ask',
    'meet',
  ] as const),
  ...(['wishes', 'wait', 'laugh', 'lost', 'connect', 'tools'] as const),
] as const
