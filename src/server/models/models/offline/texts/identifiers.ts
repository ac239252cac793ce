const WRITTEN = /(?<![\p{L}\d])(?:[\p{L}]{1,8}[-/#]?)?\d[\p{L}\d]{0,20}(?:[-–/][\p{L}\d]{1,20}){0,6}/gu

/** Returns numbers of orders, invoices and the like, and periods, in one spelling: “A-1105”, “INV-2024-001”, “1939-1945”. */
export function findIdentifiers(text: string): string[] {
  const found = text.match(WRITTEN) ?? []
  return [...new Set(found.map(spell).filter((one) => isName(one)))]
}

/** Returns the years that are not part of a number or period. */
export function findYears(text: string): string[] {
  return [...new Set(text.match(/(?<![\p{L}\d.,–-])(?:1[0-9]|20)\d\d(?![\p{L}\d–-])/gu) ?? [])]
}

/** Returns “A-#” for “A-1105”. Identifiers of one form number the same kind of item. */
export const formOf = (identifier: string) => identifier.replace(/\d+/g, '#')

/** “1939-1945” */
export const isPeriod = (identifier: string) => /^\d{4}-\d{2,4}$/.test(identifier)

const spell = (text: string) => text.replaceAll('–', '-').toUpperCase()
/** Dates and ordinals such as “3rd” are not identifiers. */
const isName = (text: string) =>
  /\d{2}/.test(text) &&
  /[\p{L}/#-]/u.test(text) &&
  !/^\d{4}-\d{1,2}-\d{1,2}$|^\d{1,2}[-/]\d{1,2}[-/]\d{2,4}$|^\d+(?:ST|ND|RD|TH|ER|E|H|KM|KG|CM|MM|M|G|L|S)$/.test(
    text,
  )
