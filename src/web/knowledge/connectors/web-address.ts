/** Tells whether an address from a source may be opened: only web pages. */
export const isWebAddress = (address: string | null): address is string =>
  address !== null && /^https?:\/\//i.test(address) && URL.canParse(address)
