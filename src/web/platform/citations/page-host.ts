/** The name of the server a page is on, as people say it. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '')
