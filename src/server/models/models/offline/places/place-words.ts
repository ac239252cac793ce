import type { Language } from '#shared/platform/primitives.ts'
import type { Place } from './places.ts'

/** Returns a place with its preposition: “in the United States”, « aux États-Unis ». */
export function inPlace({ name, kind }: Place, language: Language): string {
  if (kind === 'zone') return language === 'en' ? `in ${name.en}` : `en ${name.fr}`
  if (language === 'en') return `in ${kind === 'country' && WITH_THE.test(name.en) ? 'the ' : ''}${name.en}`
  if (/^Le /.test(name.fr)) return `au ${name.fr.slice(3)}`
  return `${kind === 'country' || REGIONS.test(name.fr) ? before(name.fr) : 'à'} ${name.fr}`
}

const WITH_THE =
  /^(?:United|Netherlands|Philippines|Maldives|Bahamas|Seychelles|Comoros|Gambia|Czech|Dominican|Central African|Solomon|Marshall|Falkland|Faroe|Cook|Cayman|British|U\.S\.|Turks|Åland|Isle|Palestinian|Northern Mariana|French Southern|Caribbean)/
/** States and regions of the city table that take the prepositions of countries. */
const REGIONS =
  /^(?:Californie|Floride|Louisiane|Pennsylvanie|Virginie|Caroline|Angleterre|Écosse|Irlande du Nord|Grande-Bretagne|Nouvelle-Écosse|Colombie-Britannique|Corse|Bretagne|Normandie|Provence|Sicile|Sardaigne|Toscane|Andalousie|Catalogne|Crète|Alaska|Arizona|Alberta|Ontario|Pays de Galles|Texas|Nevada|Colorado|Utah|Michigan|Minnesota|Wisconsin|Kerala|Queensland|Nouveau-Mexique|Nouveau-Brunswick|Québec|Açores|Canaries|Îles)/
const PLURAL =
  /^(?:États-Unis|Pays-Bas|Émirats|Philippines|Maldives|Seychelles|Fidji|Comores|Bahamas|Bermudes|Îles|Territoires|Tonga|Açores|Canaries|Samoa américaines|Palaos)/
const WITHOUT_ARTICLE =
  /^(?:Singapour|Monaco|Cuba|Chypre|Malte|Madagascar|Maurice|Taïwan|Haïti|Oman|Bahreïn|Djibouti|Saint-|Hong Kong|Macao|Porto Rico|Kiribati|Tuvalu|Sao Tomé|Nauru|Niue|Guam|Aruba|Curaçao|Mayotte|Gibraltar|Jersey|Guernesey|Anguilla|Sainte-|La |Trinité|Antigua|Hawaï|Terre-Neuve)/
const FEMININE =
  /^(?:Nouvelle-|Corée|Afrique|Irlande|Macédoine|Caroline|République|Arabie|Papouasie|Polynésie|Guyane|Guinée|Biélorussie)/
/** Countries with a masculine name that ends in e. */
const MASCULINE = /^(?:Mexique|Cambodge|Mozambique|Zimbabwe|Belize|Suriname|Pays de Galles)/

function before(name: string): string {
  if (PLURAL.test(name)) return 'aux'
  if (WITHOUT_ARTICLE.test(name)) return 'à'
  const isFeminine = (name.endsWith('e') || FEMININE.test(name)) && !MASCULINE.test(name)
  return isFeminine || /^[AEIOUÉÈÊÎÔ]/.test(name) ? 'en' : 'au'
}
