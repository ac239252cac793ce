import { readdir, readFile, readlink } from 'node:fs/promises'

/** A TCP socket of this machine, as the Linux kernel lists it. */
export type KernelSocket = {
  local: string
  localPort: number
  remote: string
  remotePort: number
  state: 'established' | 'listening' | 'other'
  uid: string
  inode: string
}

const states: Record<string, KernelSocket['state']> = { '01': 'established', '0A': 'listening' }

/** Reads all TCP sockets of this network namespace. @throws where there is no `/proc/net/tcp` */
export async function readSocketTable(): Promise<KernelSocket[]> {
  const four = await readFile('/proc/net/tcp', 'latin1')
  const six = await readFile('/proc/net/tcp6', 'latin1').catch(() => '')
  return [...parseSocketTable(four), ...parseSocketTable(six)]
}

/** Parses `/proc/net/tcp` or `/proc/net/tcp6`; addresses become text, IPv4 in IPv6 becomes IPv4. */
export function parseSocketTable(text: string): KernelSocket[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state = '', , , , uid = '', , inode = ''] = line.trim().split(/\s+/)
      if (inode === '') return []
      const [from, to] = [readEnd(local), readEnd(remote)]
      return [
        {
          ...{ local: from.address, localPort: from.port, remote: to.address, remotePort: to.port },
          ...{ state: states[state] ?? 'other', uid, inode },
        },
      ]
    })
}

function readEnd(text: string): { address: string; port: number } {
  const [address = '', port = ''] = text.split(':')
  return { address: readAddress(address), port: Number.parseInt(port, 16) }
}

/** Parses an address: words of four bytes in the byte order of the machine, which is little-endian here. */
function readAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].reverse())
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255
  if (bytes.length === 4) return bytes.join('.')
  return isMapped ? bytes.slice(12).join('.') : Buffer.from(bytes).toString('hex')
}

/** The IPv6 loopback address in the notation of this table. */
export const LOOPBACK_6 = `${'0'.repeat(31)}1`

/** Returns the sockets of a process; null if this user may not read them. */
export async function readSocketsOf(pid: string): Promise<Set<string> | null> {
  try {
    const held = await readdir(`/proc/${pid}/fd`)
    const targets = await Promise.all(held.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []))
  } catch {
    return null
  }
}

/** Returns the sockets of all processes that hold this one; null if this user sees no such process. */
export async function readSocketsBeside(inode: string): Promise<Set<string> | null> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = new Set<string>()
  for (const pid of pids) {
    const sockets = await readSocketsOf(pid)
    if (sockets?.has(inode)) for (const socket of sockets) found.add(socket)
  }
  return found.size > 0 ? found : null
}
