/**
 * A kernel filter (classic BPF, see seccomp(2)). Programs in the box may not mount, trace, create user namespaces, load
 * kernel code, or open sockets except between their own processes. The box is safe without it; it hides rarely used parts
 * of the kernel.
 */
type Table = {
  /** AUDIT_ARCH_… from linux/audit.h. */
  arch: number
  clone: number
  socket: number
  setsid: number
  denied: number[]
}

/** System calls with the same number on both: io_uring, the new mount API, neighbours of openat2, pidfd_getfd, mount_setattr. */
const denied = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442]

const tables: Partial<Record<NodeJS.Architecture, Table>> = {
  x64: {
    arch: 0xc000003e,
    clone: 56,
    socket: 41,
    setsid: 112,
    denied: [
      ...[101, 103, 135, 154, 155, 161, 163, 165, 166, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179, 237],
      ...[246, 248, 249, 250, 272, 279, 298, 303, 304, 308, 310, 311, 312, 313, 320, 321, 323],
    ],
  },
  arm64: {
    arch: 0xc00000b7,
    clone: 220,
    socket: 198,
    setsid: 157,
    denied: [
      ...[39, 40, 41, 51, 60, 89, 92, 97, 104, 105, 106, 116, 117, 142, 161, 162, 217, 218, 219, 224, 225],
      ...[235, 239, 241, 264, 265, 268, 270, 271, 272, 273, 280, 282, 294],
    ],
  },
}

const CLONE3 = 435
const CLONE_NEWUSER = 0x10000000
const AF_UNIX = 1
const X32_BIT = 0x40000000
const [EPERM, ENOSYS] = [1, 38]

const allow = 0x7fff0000
const refuse = (errno: number) => 0x00050000 | errno
const kill = 0x80000000

/** Offsets of the call number, the architecture and the first argument in the filter's input. */
const [AT_NUMBER, AT_ARCH, AT_FIRST] = [0, 4, 16]

/**
 * Returns the filter for this machine's processor; null if there is no table for it. With `mayConnect`, processes in the
 * box may open sockets to each other.
 */
export function seccompFilter({ mayConnect }: { mayConnect: boolean }): Buffer | null {
  const table = tables[process.arch]
  if (!table) return null
  const load = (at: number) => step(0x20, 0, 0, at)
  const give = (value: number) => step(0x06, 0, 0, value)
  const unlessEqual = (value: number, skip: number) => step(0x15, 0, skip, value)
  const program = [
    ...[load(AT_ARCH), step(0x15, 1, 0, table.arch), give(kill), load(AT_NUMBER)],
    ...[step(0x35, 0, 1, X32_BIT), give(refuse(EPERM))],
    // Libraries then fall back to clone, whose flags the filter can read.
    ...[unlessEqual(CLONE3, 1), give(refuse(ENOSYS))],
    ...[...denied, ...table.denied].flatMap((number) => [unlessEqual(number, 1), give(refuse(EPERM))]),
    ...[unlessEqual(table.clone, 4), load(AT_FIRST), step(0x45, 0, 1, CLONE_NEWUSER)],
    ...[give(refuse(EPERM)), give(allow)],
    // Reports success without doing it, because a new session would have its own priority.
    ...[unlessEqual(table.setsid, 1), give(refuse(0))],
    ...(mayConnect ? [] : [unlessEqual(table.socket, 1), give(refuse(EPERM))]),
    ...[unlessEqual(table.socket, 3), load(AT_FIRST), step(0x15, 1, 0, AF_UNIX), give(refuse(EPERM))],
    give(allow),
  ]
  return Buffer.concat(program)
}

/** One instruction: code, instructions to skip if true and if false, value. */
function step(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
