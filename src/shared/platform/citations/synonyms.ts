/** Synonyms, one group per line, without accents. Irregular forms of a verb are a group, too. */
const GROUPS = `
underwriter insurer insurers
policyholder insured insureds
boss employer employers
lessor lessors landlord landlords
occupant lessee lessees tenant tenants
grantor licensor licensors
holder licensee licensees
payee payees
compagnie assureur assureurs
beneficiaire assure assures
patron employeur employeurs
gesellschaft versicherer versicherers
nehmer versicherungsnehmer versicherte versicherter versicherten
firma arbeitgeber arbeitgebers
besteller auftraggeber auftraggebers
ausfuhrender auftragnehmer auftragnehmers
patrono empleador empleadores
casero arrendador arrendadora
inquilino arrendatario arrendataria
comerciante vendedor vendedora vendedores
aseguradora asegurador
titular asegurado asegurada asegurados
buy buys buying bought purchase purchased purchases acquire acquired acquires acquisition
sell sells sold selling sale
employ employs employees employed staff workforce personnel
begin begins began begun beginning start starts started starting commence
finish end ends ended ending finish finishes finished finishing expire expires expired
take takes took taken taking
give gives gave given giving
write writes wrote written
keep keeps kept
hold holds held
build builds built construct constructed construction
grow grows grew grown growth
fall falls fell fallen
rise rises rose risen
pay pays paid payment
send sends sent
lead leads led
win wins won
lose loses lost
run runs ran running
choose chose chosen elect elected elects
leave leaves left
teach teaches taught
found founded founds establish established
about roughly approximately
large larger big bigger
repair repairs repaired
acheter achete achetent achat rachete racheter acquis acquise acquisition
vendre vend vendu vendue vendus vente
debuter debute commence commencer debut
employer emploie salaries employes effectif personnel
payer paie paient paye paiement
baisse baisser baissent diminue diminuer reculer recule
hausse augmente augmenter progresse progresser augmentation
tenir tient tenu
prendre prend pris prise
recoit recu recevoir touche toucher percoit percevoir
fonder fonde fondee cree creee
construire construit construite construction
conserve conserver conservation
jour jours journalier quotidien quotidiennement
annuel annuelle annee
mensuel mensuelle mois
kauft kaufte gekauft kauf erwarb erworben ubernahm
verkauft verkaufte verkauf
beschaftigt beschaftigte mitarbeiter angestellte arbeitnehmer
beginnt begann beginn anfang fangt
endet endete ende
steigt stieg gestiegen anstieg wuchs wachst gewachsen zunahm
sinkt sank gesunken fiel gefallen ruckgang
gibt gab gegeben
tragt trug getragen ubernimmt ubernehmen
betragt betrug liegt lag
geschlossen schliesst schloss
compra compro comprar adquirio adquirir adquisicion
vende vendio vender venta
empleados trabajadores plantilla emplea
empieza empezo comienza comenzo inicio
paga pagan pagar pago
aumenta aumento aumentaron subio subieron crecio crecieron
baja bajo bajaron disminuyo disminuyeron
construye construyo construido construccion
diseno disenado disena
cuesta costo coste precio
`

const CANONICAL = new Map(
  GROUPS.trim()
    .split('\n')
    .flatMap((group) => group.split(' ').map((word, _, words) => [word, words[0] ?? word] as const)),
)

/** Returns the word that stands for all synonyms of a word in lower case without accents; the word itself without any. */
export const canonicalWord = (word: string): string => CANONICAL.get(word) ?? word
