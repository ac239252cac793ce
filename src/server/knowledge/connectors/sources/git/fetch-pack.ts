import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { bodyOf } from '../../source-requests.ts'
import { openPack, type Pack } from './pack/pack.ts'
import { storePack } from './pack/pack-file.ts'
import { packetOf, readPackets } from './packets.ts'
import { assertRepository, type Head, type Remote } from './remote.ts'

/** Largest compressed repository, without its history. */
const MAX_PACK_BYTES = 200 * 1024 * 1024
/** Bytes of the protocol around it. */
const SLACK_BYTES = 20 * 1024 * 1024
const HEAD_SECONDS = 120
/** Idle timeout and maximum duration of a transfer. */
const [IDLE_MS, MAX_TRANSFER_MS] = [60_000, 900_000]
const MAX_TEXT = 200

/** Fetches the files of a commit without its history. @throws SignedOut, SourceBusy, AppError `unavailable`, `not_available` */
export async function fetchPack(remote: Remote, { address, commit, abilities }: Head): Promise<Pack> {
  const { context, host, headers } = remote
  const wanted = ['side-band-64k', 'ofs-delta', 'no-progress'].filter((one) => abilities.has(one))
  const body = `${packetOf(`want ${commit} ${wanted.join(' ')}\n`)}${packetOf('deepen 1\n')}0000${packetOf('done\n')}`
  const stalled = new AbortController()
  const idle = setTimeout(() => stalled.abort(), IDLE_MS + HEAD_SECONDS * 1000)
  const ends = [context.signal, stalled.signal, AbortSignal.timeout(MAX_TRANSFER_MS)]
  try {
    const answer = await context.outbound.open(`${address}/git-upload-pack`, {
      ...{ method: 'POST', body, seconds: HEAD_SECONDS, maxBytes: MAX_PACK_BYTES + SLACK_BYTES },
      ...{ trusted: context.config.ATRIUM_TOOLS_PRIVATE, signal: AbortSignal.any(ends) },
      headers: {
        ...headers,
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
      },
    })
    if (!answer.ok) await answer.body?.cancel()
    assertRepository(host, answer)
    const data = packDataOf(host, bodyOf(answer, host), () => idle.refresh())
    const file = await storePack(context.config.dataDir, data, MAX_PACK_BYTES)
    clearTimeout(idle)
    return await openPack(file, context.maxBytes, context.signal)
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    if (ends.some((one) => one.aborted))
      throw new AppError('unavailable', `${host} sends the repository too slowly.`)
    if (error instanceof AppError && error.code === 'too_large') throw tooLarge()
    throw error
  } finally {
    clearTimeout(idle)
  }
}

const tooLarge = () =>
  new AppError('not_available', 'The repository is too large: at most 200 MB of compressed files are read.')

/** Returns the bytes of the pack, which are between other messages. */
async function* packDataOf(
  host: string,
  body: AsyncIterable<Uint8Array>,
  onData: () => void,
): AsyncGenerator<Buffer> {
  let hasBegun = false
  for await (const packet of readPackets(body)) {
    onData()
    if (packet === null) continue
    if (!hasBegun) {
      const line = packet.toString('utf8', 0, MAX_TEXT).trim()
      if (line.startsWith('ERR ')) throw refusal(host, line.slice(4))
      // The rest is multiplexed after the acknowledgement.
      hasBegun = /^(NAK|ACK)\b/.test(line)
      continue
    }
    if (packet[0] === 1) yield packet.subarray(1)
    if (packet[0] === 3) throw refusal(host, packet.toString('utf8', 1, MAX_TEXT).trim())
  }
}

const refusal = (host: string, text: string) =>
  new AppError('unavailable', `${host} does not send the repository. It says: ${cleanLabel(text)}`)
