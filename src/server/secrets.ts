/** Seals text with the installation's key (AES-256-GCM), so that a stolen database alone gives nothing. */
export type Secrets = { seal(plain: string): string; open(sealed: string): string }
