/** Whether an address belongs to a domain. */
export function isOf(base_url: string, domain: string): boolean {
  const host = URL.canParse(base_url) ? new URL(base_url).hostname : ''
  return host === domain || host.endsWith(`.${domain}`)
}
