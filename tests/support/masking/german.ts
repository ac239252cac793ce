/** As `english.ts`. */
export const german = {
  given: `Anna Jürgen Mehmet Friederike Lukas Swantje Ayşe Heinz Katharina Björn Lieselotte Torsten Miriam Karl-Heinz Zeynep Matthias Gudrun
    Piotr Annika Ulrich Svetlana Ernst Jan Beate Xaver Johanna Kevin Wiebke Rüdiger Marie-Luise`,
  surnames: `Müller Schneider Özdemir Vogelsang Krause Hoffmann von_Bülow Kowalski Fischer Lindemann Yılmaz Zimmermann Weiß Böttcher Koch
    Hansen Schröder-Meyer Wójcik Baumgärtner Nguyen Petrov Obermüller Klein Sievers Jansen Kaltenbrunner Ruß Adler Wagner Brinkmann`,
  addresses: [
    'Hauptstraße 12, 10115 Berlin',
    'Am Markt 5, 28195 Bremen',
    'Goethestr. 7a, 80336 München',
    'Unter den Linden 77, 10117 Berlin',
    'Berliner Allee 104, 40212 Düsseldorf',
    'Lindenweg 3\n79098 Freiburg im Breisgau',
    'Karl-Marx-Straße 21, 12043 Berlin',
    'An der Kirche 9, 24103 Kiel',
    'Bahnhofplatz 1, D-97070 Würzburg',
    'Schillerring 44, 55131 Mainz',
    'Mariahilfer Straße 88, 1070 Wien',
    'Zum Sportplatz 2, 38100 Braunschweig',
    'Elbchaussee 401, 22609 Hamburg',
    'Kirchgasse 15, 8001 Zürich',
    'Postfach 12 34 56, 60313 Frankfurt am Main',
  ],
  seen: String.raw`
Hallo {given},\nhier ist die neue Anschrift von {person}: {address}.\nViele Grüße\n{person}
Herr {surname}, geboren am {birth}, wohnt {address}.
Bitte überweisen Sie 450 € auf das Konto {iban}, Kontoinhaber {person}.
Meine Steuer-ID lautet {tax}.
Patient: {person}\nGeburtsdatum: {birth}\nTelefon: {phone}
Dieser Vertrag wird zwischen {person}, wohnhaft {address}, und der Firma geschlossen.
{given} sagte, sie schicke die Rechnung bis Freitag an {email}.
Kreditkarte {card}, Name auf der Karte: {person}.
Von: {person} <{email}>\nAn: {person} <{email}>\nBetreff: Protokoll\n\nHallo {given},\nanbei das Protokoll.\nBeste Grüße\n{given}
Anwesend: {person}, {person} und {person}. Frau {surname} ist entschuldigt.
Ich habe gestern mit {person} gesprochen; {surname} bestätigt die Zahlung.
| Name | Geburtsdatum | Telefon |\n|---|---|---|\n| {person} | {birth} | {phone} |\n| {person} | {birth} | {phone} |
Name;E-Mail;Telefon\n{person};{email};{phone}\n{person};{email};{phone}
Frau {surname} fragt, ob Dr. {surname} sie am Montag empfangen kann.
Lieferung an: {person}\n{address}\nTel.: {phone}
- {person} – leitet die Sitzung\n- {person} – schreibt das Protokoll
Sie erreichen mich unter {phone} oder {email}. {given}
Die Mieterin, {person} (geb. {birth}), zahlt die Miete auf {iban}.
Hi {given}, hat sich {given} wegen der Wohnung gemeldet?
Nachname: {surname}\nVorname: {given}\nAnschrift: {address}
Reisepass Nr. {passport}, ausgestellt auf {person}.
Der Vertrag von {person} endet im Juni. Bitte {given}, ihn zu verlängern.
Unterschrift: {person}
Ist {email} noch die richtige Adresse von {person}?
Der Zeuge, Professor {person}, erkannte Herrn {surname} sofort.
Erstatten Sie den Kauf auf die Karte {card}. Sie gehört meinem Mann {person}.
Treffen wir uns um zwölf in der {address}, {given} hat die Schlüssel.
Notfallkontakt: {person}, {phone}
Danke {given}! Ich leite es an {person} in der Buchhaltung weiter.
Schreibe ein Arbeitszeugnis für {person}, tätig bei uns von 2019 bis 2024.
{ "kundin": "{person}", "email": "{email}", "iban": "{iban}" }
Unsere neue Kollegin {person} braucht einen Rechner; ihre Nummer ist {phone}.
Fasse die Beschwerde von {person}, {address}, zusammen.
Mitarbeiter: {surname}, {given}\nSteuer-ID: {tax}\nEintritt: 1. März 2024
Das Paket für {person} konnte nicht abgegeben werden: {address}. Bitte {phone} anrufen.
Dr. {person} operiert {person} am Dienstag.
Die IBAN {iban} gehört {person}, nicht ihrem Bruder {given}.
Erinnere {person} daran, dass der Personalausweis {passport} bald abläuft.
Laut {person} hat {person} das Budget im Mai genehmigt.
Sozialversicherungsnummer: {pension}`,
  unseen: String.raw`
Guten Morgen {given},\n\nder Mietvertrag für {address} liegt bei. {person} unterschreibt am Donnerstag.\n\nMit freundlichen Grüßen\n{person}
Warum wurde die Karte {card} von {person} abgelehnt?
Antragsteller: {person}, geboren am {birth}, Steuer-ID {tax}, {address}.
{person} schreibt von {email}, dass {given} krank ist.
Wir haben Frau {surname} am 3. Mai auf {iban} bezahlt.
Hiermit bestätige ich, dass {person} seit 2015 in der {address} wohnt.
Autor: {person}\nBearbeiter: {person}\nDer Export scheitert, wenn der Name einen Umlaut hat.
Meine Mutter, {person}, ist nach 18 Uhr unter {phone} erreichbar.
Rentenversicherungsnummer {pension}, Geburtsdatum {birth}.
1. {person}, {email}\n2. {person}, {email}\n3. {person}, {email}
Ich habe {given} und {given} gebeten, den Entwurf zu lesen, bevor {person} ihn sieht.
Name;Adresse;Geburtsdatum\n{person};{address};{birth}\n{person};{address};{birth}
Entwirf eine Entschuldigung an {person} wegen der Verspätung, Kopie an {email}.
Familie {surname} und Herr Dr. {surname} kommen am Samstag.
Reisepass {passport} von {person}.
Ruf mich unter {phone} zurück, {given}.
„Das habe ich nie unterschrieben“, sagte {person}. „Fragen Sie {given}.“
Rechnung an {person}, {address}. Zahlbar auf {iban}.
Die Pflegerin gab {person} das falsche Formular; er ist am {birth} geboren.
Sehr geehrte Frau {surname}, Ihr Termin bei Dr. {surname} ist bestätigt.`,
  plain: `
Der Quartalsbericht zeigt ein Umsatzplus von 12 % in Nordamerika, während die Kosten in Europa zum dritten Mal in Folge sanken.
Fasse das angehängte Dokument in fünf Stichpunkten zusammen und nenne am Ende die offenen Fragen.
Die Versionen für Windows und Linux werden jede Nacht geprüft. Der Lauf dauert 14 Minuten und schlug im März 2024 dreimal fehl.
Rechnung 2024-004711 vom 3. Mai, Bestellung 88123456, Gesamtbetrag 1.249,00 Euro inklusive Mehrwertsteuer. Zahlbar in 30 Tagen.
Die Olympischen Spiele in Paris zogen Gäste aus Japan, Brasilien und Kenia an. Auch die Hotels in London waren voll.
Die Deutsche Bank und Siemens legten am Dienstag ihre Zahlen vor; Daimler und Bosch folgten am Mittwoch.
Die Funktion liest ein Datum nach ISO 8601 wie 2024-05-01T10:00:00Z und gibt sonst nichts zurück.
Das Büro öffnet um 9 Uhr. Der Raum im 3. Stock hat 12 Plätze. Version 10.2.14 behebt 23 Fehler.
Kapitel 4 erklärt, wie man Zugriff gewährt, einem Kunden eine Rechnung stellt und die Kraft der Marke nutzt.
Fahren Sie mit der U2 bis Alexanderplatz und folgen Sie den Schildern zur Staatsbibliothek.
Das Projekt Phönix beginnt am 1. Juni 2025. Zweiter Meilenstein: Umzug des Kundenportals auf die neue Plattform.
Der Bauer baut einen Zaun, der Koch kocht eine Suppe, und der Richter prüft den Antrag. Im Mai blüht die Linde am Weg.`,
}
