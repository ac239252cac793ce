/** As `english.ts`. */
export const french = {
  given: `Marie Jean-Pierre Aurélie Mohamed Camille Thibault Fatou Chloé Étienne Solène Karim Béatrice Loïc Inès Guillaume Noémie Pascal Aïcha
    Mathilde Bruno Yasmine Florent Geneviève Rémi Capucine Hugues Nadège Olivier Linh Anne-Sophie`,
  surnames: `Dupont Lefèvre Benali Moreau Kowalczyk Rousseau Diallo Le_Goff Marchand Nguyen Petit Delacroix Haddad Fontaine Bourdon Vasseur
    Traoré Charpentier Girard D'Alembert Lemoine Zidouni Peltier Bonnet-Martin Cazenave Schmitt Ferreira Quéméneur Boucher Roux`,
  addresses: [
    '12 rue de la Paix, 75002 Paris',
    '8 bis avenue Victor-Hugo, 69003 Lyon',
    '45, boulevard Saint-Michel, 75005 Paris',
    '3 impasse des Lilas, 31000 Toulouse',
    '127 chemin du Vieux-Moulin, 13100 Aix-en-Provence',
    '9 place de la République, 35000 Rennes',
    '22 allée des Peupliers, 67000 Strasbourg',
    '1 quai de la Fosse\n44000 Nantes',
    '60 route de Genève, 74100 Annemasse',
    '5 ter rue du Général-de-Gaulle, 59800 Lille',
    '17 cours Mirabeau, 13100 Aix-en-Provence',
    '204 avenue du Prado, 13008 Marseille Cedex 08',
    '2 square des Tilleuls, 21000 Dijon',
    '33 rue Sainte-Catherine, Bât. B, 33000 Bordeaux',
    '14 faubourg de Pierre, 67200 Eckbolsheim',
  ],
  seen: String.raw`
Bonjour {given},\nvoici la nouvelle adresse de {person} : {address}.\nCordialement,\n{person}
Monsieur {surname}, né le {birth}, demeure {address}.
Merci de virer 450 € sur le compte {iban} au nom de {person}.
Mon numéro de sécurité sociale est le {nir}.
Patient : {person}\nDate de naissance : {birth}\nTéléphone : {phone}
Le présent contrat est conclu entre {person}, demeurant {address}, et la société.
{given} m’a dit qu’elle enverrait la facture à {email} avant vendredi.
Carte bancaire {card}, au nom de {person}.
De : {person} <{email}>\nÀ : {person} <{email}>\nObjet : Compte rendu\n\nBonjour {given},\nci-joint le compte rendu.\nBien à vous,\n{given}
Présents : {person}, {person} et {person}. Mme {surname} est excusée.
J’ai eu {person} au téléphone hier ; {surname} confirme le paiement.
| Nom | Date de naissance | Téléphone |\n|---|---|---|\n| {person} | {birth} | {phone} |\n| {person} | {birth} | {phone} |
nom;courriel;téléphone\n{person};{email};{phone}\n{person};{email};{phone}
Mme {surname} demande si le Dr {surname} peut la recevoir lundi.
Livrer à : {person}\n{address}\nTél. : {phone}
- {person} – préside la séance\n- {person} – rédige le compte rendu
Vous pouvez me joindre au {phone} ou à {email}. {given}
La locataire, {person} (née le {birth}), verse le loyer sur {iban}.
Salut {given}, est-ce que {given} t’a répondu pour l’appartement ?
Nom : {surname}\nPrénom : {given}\nAdresse : {address}
Numéro de passeport : {passport}, délivré à {person}.
Le contrat de {person} se termine en juin. Demande à {given} de le renouveler.
Signé par {person} à Marseille
L’adresse {email} est-elle encore celle de {person} ?
Le témoin, le professeur {person}, a reconnu M. {surname} aussitôt.
Remboursez l’achat sur la carte {card}, elle appartient à mon mari {person}.
Rendez-vous au {address} à midi, {given} aura les clés.
Personne à prévenir : {person}, {phone}
Merci {given} ! Je transmets à {person} à la comptabilité.
Rédige une lettre de recommandation pour {person}, qui a travaillé chez nous de 2019 à 2024.
{ "cliente": "{person}", "courriel": "{email}", "iban": "{iban}" }
Notre nouvelle recrue {person} a besoin d’un ordinateur ; son numéro est le {phone}.
Résume la réclamation de {person}, {address}.
Salarié : {person}\nN° de sécurité sociale : {nir}\nEntrée : 1er mars 2024
Le colis de {person} n’a pas pu être déposé au {address}. Appeler le {phone}.
Le docteur {person} opère {person} mardi.
L’IBAN {iban} est celui de {person}, pas de son frère {given}.
Rappelle à {person} que sa carte d’identité {passport} expire bientôt.
Selon {person}, le budget a été validé par {person} en mai.
Maître {surname} représente {person} devant le tribunal.`,
  unseen: String.raw`
Bonsoir {given},\n\nle bail du {address} est joint. {person} signe jeudi.\n\nMerci d’avance,\n{person}
Pourquoi la carte {card} de {person} a-t-elle été refusée ?
Demandeur : {person}, né le {birth}, NIR {nir}, {address}.
{person} écrit depuis {email} que {given} est malade.
Nous avons réglé Mme {surname} par virement sur {iban} le 3 mai.
Je soussigné {person} atteste héberger {person} au {address} depuis 2015.
Auteur : {person}\nResponsable : {person}\nL’export échoue quand le nom porte un accent.
Ma mère, {person}, est joignable au {phone} après dix-huit heures.
Numéro de sécu {nir}, date de naissance {birth}.
1. {person}, {email}\n2. {person}, {email}\n3. {person}, {email}
J’ai demandé à {given} et à {given} de relire avant que {person} ne le voie.
Nom;Adresse;Date de naissance\n{person};{address};{birth}\n{person};{address};{birth}
Prépare des excuses pour {person} à cause du retard, avec copie à {email}.
Mademoiselle {surname} et Monsieur {surname} se marient en juillet.
Passeport {passport} au nom de {person}.
Rappelle-moi au {phone}, {given}.
« Je n’ai jamais signé », dit {person}. « Demandez à {given}. »
Facture pour {person}, {address}. À payer sur {iban}.
L’infirmière a donné le mauvais formulaire à {person} ; il est né le {birth}.
Chère Madame {surname}, votre rendez-vous avec le Dr {surname} est confirmé.`,
  plain: `
Le rapport trimestriel montre une hausse de 12 % du chiffre d’affaires en Amérique du Nord, tandis que les coûts baissent en Europe.
Résume le document joint en cinq points et dresse la liste des questions ouvertes.
Les versions Windows et Linux sont testées chaque nuit. La chaîne dure 14 minutes et a échoué 3 fois en mars 2024.
La facture 2024-004711 du 3 mai, commande 88123456, s’élève à 1 249,00 € TTC. Merci de la régler sous 30 jours.
Les Jeux olympiques de Paris ont attiré des visiteurs du Japon, du Brésil et du Kenya. Les hôtels de Londres étaient pleins.
La Société Générale et la BNP Paribas ont publié leurs résultats mardi ; Saint-Gobain a suivi mercredi.
La fonction lit une date ISO 8601 telle que 2024-05-01T10:00:00Z et rend une valeur vide sinon.
Le bureau ouvre à 9 h. La salle du 3e étage compte 12 places. La version 10.2.14 corrige 23 erreurs.
Le chapitre 4 explique comment donner un accès, facturer un client et conserver la pierre d’angle du projet.
Prenez la ligne 4 jusqu’à Montparnasse, puis suivez les panneaux vers la Bibliothèque nationale.
Le projet Phénix commence le 1er juin 2025. Deuxième étape : migrer le portail des clients.
Pouvez-vous marquer les passages utiles ? Avril est trop tôt, attendons l’automne.`,
}
