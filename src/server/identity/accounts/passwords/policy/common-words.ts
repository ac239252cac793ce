/**
 * Passwords that guessers try first, in their folded form: lower case, without accents, digits and symbols at the ends. Own list from
 * common English and French words of passwords, first names, teams and keyboards.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwords passphrase motdepasse mdp passe monmotdepasse letmein letmeinnow welcome bienvenue bonjour hello helloworld
  admin administrator administrateur administration root rootroot toor test testing tester tests guest invite user username utilisateur
  login default defaut changeme changeit changemenow temp temporary temporaire secret secrets private prive confidential master superman
  batman spiderman ironman pokemon naruto starwars matrix trustnoone trustno sunshine princess princesse monkey dragon football soccer
  baseball basketball hockey rugby tennis marseille psg olympique barcelona arsenal liverpool chelsea juventus realmadrid iloveyou
  iloveu jetaime jetadore monamour amour mylove loveyou lovely love lovers sweetheart doudou loulou chouchou cheri cherie coucou soleil
  azerty azertyuiop qwerty qwertyuiop qwertz qwertzuiop asdfgh asdfghjkl qsdfgh qsdfghjklm zxcvbn zxcvbnm wxcvbn abcdef abcdefg abcdefgh
  aqwzsx qazwsx qazwsxedc zaqwsx qweasd qweasdzxc azeqsd azeqsdwxc asd qwe azer aze
  shadow ninja mustang ferrari porsche mercedes bmw corvette harley yamaha honda jordan michael michelle jennifer jessica ashley amanda
  andrew anthony daniel matthew robert thomas nicolas nicole julien sebastien alexandre charlotte camille caroline isabelle christine
  christophe stephane frederic philippe vincent laurent pascal patrick olivier antoine guillaume benjamin jonathan hannah charlie george
  maggie ginger buster tigger snoopy whatever computer ordinateur internet samsung google facebook microsoft windows linux apple amazon
  android iphone server serveur database oracle cisco network company entreprise societe business office bureau work travail
  summer winter spring autumn fall ete hiver printemps automne january february march april june july august september october november
  december janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre monday tuesday wednesday thursday friday
  saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche london paris france england america canada quebec montreal belgique
  bruxelles suisse geneve texas chicago dallas boston newyork california access freedom liberte peace diamond orange purple silver golden
  gold blue red green black white yellow chocolate chocolat cookie banana cheese pepper butter coffee flower killer hunter ranger gandalf
  merlin phoenix thunder tiger lion eagle falcon wolf panther chicken elephant dolphin butterfly papillon chat chien minou lapin nounours
  hottie angel babygirl baby family famille mother maman papa father friend friends ami amis jesus christ god dieu blessed biteme asshole
  fuckyou fuckoff putain merde connard salope letmeout opensesame sesame abracadabra zaq changeme please sixtynine startrek
  qwaszx pass word login azertyui poiuyt poiuytreza mynoob passw nothing everything something forever vacances vivelafrance`
    .split(/\s+/)
    .filter(Boolean),
)
