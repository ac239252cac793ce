import type { Mail } from './mail-port.ts'

/** Returns the sender of a mail: the installation's, an address or a name with one, as far as the mail names no other. */
export function senderOf(
  from: string,
  { sender }: Pick<Mail, 'sender'>,
): string | { name: string; address: string } {
  if (!sender || (sender.name === null && sender.address === null)) return from
  const [, name = '', known = from] = /^([^<]*)<([^<>]+)>\s*$/.exec(from) ?? []
  return {
    name: sender.name ?? name.trim().replace(/^"(.*)"$/, '$1'),
    address: sender.address ?? known.trim(),
  }
}
