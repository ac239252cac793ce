/** A search in the register. */
export type RegisterWish = { query: string; place: string; companies: number; contacts: number }

/** Returns the address of a company search in the register. */
export function addressOfRegister(
  { COMPANY_REGISTER_URL = '' }: Readonly<Record<string, string>>,
  wish: Omit<RegisterWish, 'contacts'>,
): string {
  const query = new URLSearchParams({
    ...{ q: wish.query, page: '1', per_page: String(wish.companies), etat_administratif: 'A' },
  })
  if (wish.place !== '') query.set(wish.place.length === 5 ? 'code_postal' : 'departement', wish.place)
  return `${COMPANY_REGISTER_URL.replace(/(?<!\/)\/+$/, '')}/search?${query}`
}
