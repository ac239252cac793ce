type Written = Record<'en' | 'fr' | 'de', Record<'seen' | 'unseen', string[]>>

/** Texts written by hand, with details between `⟦kind:` and `⟧`. */
export const written: Written = {
  en: {
    seen: [
      'Hi all,\n\nquick update: ⟦person:Joanna⟧ is off sick until Thursday, so ⟦person:Tom Ridley⟧ covers the desk. If a parcel from Mrs ⟦person:Achebe⟧ arrives, please send it on to ⟦address:31 Garrick Street, London WC2E 9AR⟧.\n\nCheers\n⟦person:Nadine⟧',
      'This Employment Agreement is entered into by Acme Ltd and ⟦person:Ruth Ellen Vandermeer⟧ (born ⟦birth:14 February 1987⟧), of ⟦address:16 Priory Road, Exeter EX4 7AP⟧, National Insurance number ⟦identity:JC 45 67 89 B⟧.',
      'me: is the transfer through?\n⟦person:Liam⟧: not yet, bank wants the IBAN again\nme: ⟦iban:GB29 NWBK 6016 1331 9268 19⟧\n⟦person:Liam⟧: ok cheers',
      'Can you translate this? "Monsieur ⟦person:Fabre⟧ lives at ⟦address:14 rue Nationale, 37000 Tours⟧ and phoned from ⟦phone:+33 2 47 05 12 34⟧."',
      'Applicant details\nName: ⟦person:Ikechukwu Obi⟧\nDate of birth: ⟦birth:03/11/1992⟧\nNationality: Nigerian\nPassport number: ⟦identity:A04417832⟧\nMobile: ⟦phone:07911 123456⟧',
      'The court heard that ⟦person:Deborah Fairclough⟧, 54, had emailed the trust (⟦email:d.fairclough@example.org⟧) three times. ⟦person:Fairclough⟧ denied it.',
      'Refund issued to Visa ⟦card:4111 1111 1111 1111⟧; the cardholder, Mr. ⟦person:Eze⟧, was told on 4 May.',
      'Lunch orders: ⟦person:Kate⟧ – soup, ⟦person:Ahmed⟧ – salad, ⟦person:Yuki⟧ – pasta, ⟦person:Sean⟧ – nothing.',
    ],
    unseen: [
      'Thanks for seeing me today. As discussed, Dr. ⟦person:Amara Nwosu⟧ will take over my care, and the prescription goes to ⟦address:55 Mill Lane, Cambridge CB2 1RX⟧. My mobile is ⟦phone:07700 900321⟧. ⟦person:Edith Crowther⟧',
      'Landlord: ⟦person:Stephen Goldberg⟧\nTenant: ⟦person:Maribel Torres⟧\nProperty: ⟦address:2045 Sunset Blvd, Los Angeles, CA 90026⟧\nDeposit: $2,400\nTenant SSN: ⟦identity:512-44-9087⟧',
      '⟦person:Hannah⟧ and ⟦person:Omar⟧ will present. ⟦person:Omar⟧ brings the slides; write to ⟦email:omar_s@example.co.uk⟧ if you cannot come.',
      'Policyholder ⟦person:Bernard Appiah⟧ called from ⟦phone:+1 415 555 0134⟧ about a claim. He was born on ⟦birth:1968-07-22⟧.',
    ],
  },
  fr: {
    seen: [
      'Bonjour à tous,\n\npetit point : ⟦person:Sandrine⟧ est absente jusqu’à jeudi, c’est ⟦person:Paul Mercier⟧ qui assure la permanence. Si un colis de Mme ⟦person:Belkacem⟧ arrive, faites-le suivre au ⟦address:31 rue du Faubourg-Poissonnière, 75009 Paris⟧.\n\nBonne journée\n⟦person:Nadine⟧',
      'Entre la société Acmé SARL et ⟦person:Ruth Hélène Vandenberghe⟧, née le ⟦birth:14 février 1987⟧ à Lille, demeurant ⟦address:16 rue Nationale, 59000 Lille⟧, immatriculée à la sécurité sociale sous le numéro ⟦identity:2 87 02 59 350 123 40⟧.',
      'moi : le virement est passé ?\n⟦person:Hugo⟧ : pas encore, la banque redemande l’IBAN\nmoi : ⟦iban:FR14 2004 1010 0505 0001 3M02 606⟧\n⟦person:Hugo⟧ : ok merci',
      'Fiche du candidat\nNom : ⟦person:Ouédraogo⟧\nPrénom : ⟦person:Issouf⟧\nDate de naissance : ⟦birth:03/11/1992⟧\nPasseport n° ⟦identity:14AX73921⟧\nPortable : ⟦phone:06 12 34 56 78⟧',
      'Le tribunal a entendu ⟦person:Déborah Fauconnier⟧, 54 ans, qui avait écrit trois fois à la fondation (⟦email:d.fauconnier@example.fr⟧). ⟦person:Fauconnier⟧ le conteste.',
      'Remboursement effectué sur la carte ⟦card:4111 1111 1111 1111⟧ ; le titulaire, M. ⟦person:Eze⟧, en a été informé le 4 mai.',
      'Commandes du midi : ⟦person:Katia⟧ – soupe, ⟦person:Ahmed⟧ – salade, ⟦person:Yuki⟧ – pâtes, ⟦person:Sébastien⟧ – rien.',
    ],
    unseen: [
      'Merci de m’avoir reçue aujourd’hui. Comme convenu, le Dr ⟦person:Aminata Cissé⟧ reprend mon suivi et l’ordonnance part au ⟦address:55 chemin des Moulins, 34000 Montpellier⟧. Mon portable : ⟦phone:07 81 22 33 44⟧. ⟦person:Édith Caron⟧',
      'Bailleur : ⟦person:Stéphane Goldberg⟧\nLocataire : ⟦person:Maribel Torres⟧\nLogement : ⟦address:20 avenue Jean-Jaurès, 92120 Montrouge⟧\nDépôt de garantie : 1 400 €',
      '⟦person:Hélène⟧ et ⟦person:Omar⟧ présenteront. ⟦person:Omar⟧ apporte les diapositives ; écrivez à ⟦email:omar_s@example.fr⟧ si vous ne pouvez pas venir.',
      'L’assuré ⟦person:Bernard Appiah⟧ a appelé du ⟦phone:+33 6 98 76 54 32⟧ pour un sinistre. Il est né le ⟦birth:22/07/1968⟧.',
    ],
  },
  de: {
    seen: [
      'Hallo zusammen,\n\nkurze Info: ⟦person:Sabine⟧ ist bis Donnerstag krank, ⟦person:Tom Riedel⟧ übernimmt den Empfang. Falls ein Paket von Frau ⟦person:Achternbusch⟧ kommt, bitte weiterleiten an ⟦address:Wilhelmstraße 31, 72074 Tübingen⟧.\n\nViele Grüße\n⟦person:Nadine⟧',
      'Zwischen der Acme GmbH und ⟦person:Ruth Helene Vandermeer⟧, geboren am ⟦birth:14. Februar 1987⟧, wohnhaft ⟦address:Prinzenallee 16, 13357 Berlin⟧, Sozialversicherungsnummer ⟦identity:12 140287 V 509⟧.',
      'ich: ist die Überweisung da?\n⟦person:Leon⟧: noch nicht, die Bank will die IBAN noch mal\nich: ⟦iban:DE89 3704 0044 0532 0130 00⟧\n⟦person:Leon⟧: ok danke',
      'Angaben zur Person\nName: ⟦person:Ikechukwu Obi⟧\nGeburtsdatum: ⟦birth:03.11.1992⟧\nStaatsangehörigkeit: nigerianisch\nReisepass-Nr.: ⟦identity:C4XH91273⟧\nHandy: ⟦phone:0176 98765432⟧',
      'Das Gericht hörte ⟦person:Deborah Kirchgässner⟧, 54, die der Stiftung dreimal geschrieben hatte (⟦email:d.kirchgaessner@example.de⟧). ⟦person:Kirchgässner⟧ bestreitet das.',
      'Erstattung auf Visa ⟦card:4111 1111 1111 1111⟧; der Inhaber, Herr ⟦person:Eze⟧, wurde am 4. Mai informiert.',
      'Mittagessen: ⟦person:Katja⟧ – Suppe, ⟦person:Ahmed⟧ – Salat, ⟦person:Yuki⟧ – Nudeln, ⟦person:Sebastian⟧ – nichts.',
    ],
    unseen: [
      'Danke für den Termin heute. Wie besprochen übernimmt Dr. ⟦person:Amara Nwosu⟧ meine Behandlung, und das Rezept geht an ⟦address:Mühlenweg 55, 48143 Münster⟧. Mein Handy: ⟦phone:0170 1234567⟧. ⟦person:Edith Kramer⟧',
      'Vermieter: ⟦person:Stefan Goldberg⟧\nMieterin: ⟦person:Maribel Torres⟧\nWohnung: ⟦address:Sonnenallee 204, 12059 Berlin⟧\nKaution: 1.400 €',
      '⟦person:Hanna⟧ und ⟦person:Omar⟧ tragen vor. ⟦person:Omar⟧ bringt die Folien mit; schreibt an ⟦email:omar_s@example.de⟧, wenn ihr nicht könnt.',
      'Der Versicherte ⟦person:Bernhard Appiah⟧ rief von ⟦phone:+49 171 5550134⟧ wegen eines Schadens an. Er ist am ⟦birth:22.07.1968⟧ geboren.',
    ],
  },
}
