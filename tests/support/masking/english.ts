/** Texts with `{kind}` where a detail belongs. `unseen` ones were written before the rules and not looked at while tuning them. */
export const english = {
  given: `James Sarah Priya Oluwaseun Emily Callum Mei Harriet Tyrone Siobhan Gareth Zainab Noah Victoria Grace Mark Will Dmitri Fatima Hamish
    Beatrice Owen Leila Kwame Rosalind Marcus Imogen Trevor Jasmine Abdul`,
  surnames: `Whitfield Okonkwo Patel O'Brien Thistlethwaite Chen Ramsbottom Blackwood Nguyen Carter Abernathy Singh Pemberton Jones Hargreaves
    Kaczmarek Fitzgerald Adeyemi Brown Featherstone Mbeki Lindqvist MacLeod Baker Hussain Winterbourne Da_Silva Quigley Smith-Jones Zhou`,
  addresses: [
    '221B Baker Street, London NW1 6XE',
    '14 Acacia Avenue, Croydon CR0 2TA',
    '7 The Crescent, Bath BA1 2LX',
    'Flat 3, 88 Lavender Hill, London SW11 5RD',
    '1600 Pennsylvania Avenue NW, Washington, DC 20500',
    '4821 Maple Drive, Austin, TX 78701',
    '350 W 42nd St, Apt 12B, New York, NY 10036',
    '12 Kingsway Court, Leeds, LS1 4DY',
    '9 Orchard Close, Little Snoring, Norfolk NR21 0HX',
    'P.O. Box 4471, Denver, CO 80202',
    '27 Elm Grove, Brighton BN2 3DD',
    '1 St Mary’s Road, Oxford OX4 1PY',
    '5500 Lakeshore Boulevard, Chicago, IL 60640',
    '62 Rose Lane, York YO1 8BQ',
    '18 Harbour View, Cardiff CF10 4PA',
  ],
  seen: String.raw`
Dear {person},\nThank you for your letter. We have noted your new address: {address}.\nKind regards,\n{person}
Hi {given}, can you call {person} on {phone}? She moved to {address} last week.
Please transfer £450 to {iban}, account holder {person}.
Mr {surname} was born on {birth} and lives at {address}.
Patient: {person}\nDOB: {birth}\nNHS contact: {phone}\nEmail: {email}
My SSN is {ssn} and my passport number is {passport}.
The agreement is made between {person}, residing at {address}, and the company.
{given} said she would send the invoice to {email} before Friday.
Card number {card}, expires 09/28, name on card: {person}.
From: {person} <{email}>\nTo: {person} <{email}>\nSubject: Minutes\n\nHi {given},\nplease find the minutes attached.\nBest,\n{given}
Attendees: {person}, {person} and {person}. Apologies were received from Mrs {surname}.
I spoke to {person} yesterday; {surname} confirmed that the payment had left.
National Insurance number: {nino}
| Name | Date of birth | Phone |\n|---|---|---|\n| {person} | {birth} | {phone} |\n| {person} | {birth} | {phone} |
name,email,phone\n{person},{email},{phone}\n{person},{email},{phone}
Ms {surname} asked whether Dr. {surname} could see her on Monday.
Ship to: {person}\n{address}\nPhone: {phone}
- {person} – chairs the meeting\n- {person} – takes the notes
You can reach me at {phone} or at {email}. {given}
The tenant, {person} (born {birth}), pays the rent to {iban}.
Hey {given}, did {given} ever get back to you about the flat?
Full name: {person}\nAddress: {address}\nPassport No.: {passport}
{person}'s contract ends in June. Please ask {given} to renew it.
Signed by {person} at Manchester
Is {email} still the right address for {person}? My mail bounced.
The witness, Professor {person}, identified Mr. {surname} immediately.
Refund the purchase to card {card} please. It belongs to my husband {person}.
Let's meet at {address} at noon, {given} will bring the keys.
Emergency contact: {person}, {phone}
Thanks {given}! I'll forward it to {person} in accounts.
Write a reference for {person}, who worked with us from 2019 to 2024.
{ "customer": "{person}", "email": "{email}", "iban": "{iban}" }
Our new starter {person} needs a laptop; her personal number is {phone}.
Summarise the complaint of {person} of {address}.
Employee: {surname}, {given}\nSSN: {ssn}\nStart date: 1 March 2024
The delivery for {person} could not be left at {address}. Call {phone}.
Dr {person} will operate on {person} on Tuesday.
IBAN {iban} belongs to {person}, not to her brother {given}.
Please remind {person} that her driving licence {passport} expires soon.
According to {person}, the budget was approved by {person} in May.`,
  unseen: String.raw`
Good morning {given},\n\nattached is the tenancy for {address}. {person} signs on Thursday.\n\nMany thanks,\n{person}
Could you check why {person}'s card {card} was declined?
Claimant: {person}, born {birth}, National Insurance {nino}, {address}.
{person} emailed from {email} to say that {given} is ill.
We paid Mrs {surname} by transfer to {iban} on 3 May.
To whom it may concern: {person} has lived at {address} since 2015.
Reporter: {person}\nAssignee: {person}\nThe export fails when the name contains an accent.
My mother, {person}, can be reached on {phone} after six.
Social security number {ssn}, date of birth {birth}.
1. {person}, {email}\n2. {person}, {email}\n3. {person}, {email}
I asked {given} and {given} to review the draft before {person} sees it.
Name;Address;Date of birth\n{person};{address};{birth}\n{person};{address};{birth}
Draft an apology to {person} for the delay, and copy {email}.
Sir {person} and Lady {surname} opened the new wing.
Passport {passport} issued to {person}.
Call me back on {phone}, {given}.
"I never signed that," said {person}. "Ask {given}."
Invoice for {person}, {address}. Payable to {iban}.
The nurse gave {person} the wrong form; he was born on {birth}.
Dear Ms {surname}, your appointment with Dr {surname} is confirmed.`,
  plain: `
The quarterly report shows that revenue grew by 12 % in the North American market, while costs in Europe fell for the third time in a row.
Please summarise the attached document in five bullet points and list the open questions at the end.
Windows and Linux builds are tested every night. The pipeline needs 14 minutes on average and failed 3 times in March 2024.
May I ask you to mark the relevant passages? Will the new release support dark mode? I hope so.
Invoice number 2024-004711, order 88123456, customer reference AB-99812, total 1,249.00 EUR including VAT.
The Summer Olympics in Paris attracted visitors from Japan, Brazil and Kenya. Hotels in London were full as well.
Johnson & Johnson and Ernst & Young published their annual results on Tuesday; Morgan Stanley followed on Wednesday.
Function parseDate(input: string): Date | null reads ISO 8601 such as 2024-05-01T10:00:00Z and returns null for other text.
Our office opens at 9:00. The meeting room on floor 3 seats 12 people. Version 10.2.14 fixes 23 bugs.
Chapter 4 explains how to grant access, how to bill a customer and how to rob attackers of their advantage.
The Victoria Line runs to Brixton. Take the exit at King's Cross and follow the signs to the British Library.
Project Phoenix starts on 1 June 2025. Milestone two: migrate the Customer Portal to the new Data Platform.`,
}
