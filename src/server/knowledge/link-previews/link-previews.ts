import type { FastifyReply } from 'fastify'
import * as contract from '#shared/knowledge/link-previews/link-previews.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { describeUnread, fetchPreview, findIcons } from './fetch-page.ts'
import { fetchPicture } from './fetch-picture.ts'
import { isKnownAddress, withoutPlace } from './known-address.ts'
import {
  findPicture,
  findPreview,
  forgetLinks,
  isReadHost,
  type KeptPicture,
  type KeptPreview,
  keepPicture,
  keepPreview,
} from './store.ts'

const HOUR_MS = 3_600_000

/** Serves the data of link cards. Browsers contact only this server, so no other server learns who reads a link. */
export function serveLinkPreviews(server: Server, platform: Platform): void {
  const { db, jobs, clock } = platform
  const since = () => new Date(clock.now().getTime() - contract.PREVIEW_HOURS * HOUR_MS)
  const once = shareCalls()

  const previewOf = (url: string) =>
    once<KeptPreview>(`page ${url}`, async () => {
      const kept = await findPreview(db, url, since())
      if (kept) return kept
      const read = await fetchPreview(platform, url)
      await keepPreview(db, url, read, clock.now())
      return read
    })
  const pictureAt = (url: string) =>
    once<KeptPicture>(`picture ${url}`, async () => {
      const kept = await findPicture(db, url, since())
      if (kept) return kept
      const fetched = await fetchPicture(platform, url)
      await keepPicture(db, url, fetched, clock.now())
      return fetched
    })
  const iconOf = (domain: string) =>
    once<KeptPicture>(`icon ${domain}`, async () => {
      const name = `icon:${domain}`
      const kept = await findPicture(db, name, since())
      if (kept) return kept
      let icon: KeptPicture = { media_type: null, content: null }
      for (const url of await findIcons(platform, domain)) {
        icon = await pictureAt(url)
        if (icon.content) break
      }
      await keepPicture(db, name, icon, clock.now())
      return icon
    })

  serve(server, contract.getLinkPreview, {
    handle: async ({ user, query: { url, session_id } }) => {
      const address = checked(url)
      if (session_id) await findAllowed(db, user, 'read session', session_id)
      const isKnown = session_id !== undefined && (await isKnownAddress(platform, session_id, address))
      if (!isKnown) return { ...describeUnread(address), fetched: false }
      return { ...(await previewOf(address)).preview, fetched: true }
    },
  })
  serve(server, contract.showLinkPreview, {
    handle: async ({ body: { url } }) => ({ ...(await previewOf(checked(url))).preview, fetched: true }),
  })
  serve(server, contract.getLinkImage, {
    handle: async ({ query: { url }, reply }) => {
      // Serves only pictures of pages that were read, so that this is no open proxy.
      const kept = await findPreview(db, checked(url), since())
      return send(reply, kept?.image_url ? await pictureAt(kept.image_url) : null)
    },
  })
  serve(server, contract.getFavicon, {
    handle: async ({ query: { domain }, reply }) => {
      const { host } = new URL(checked(`https://${domain}`))
      // A host name can encode text like an address: icons are fetched only from hosts whose pages were read.
      return send(reply, (await isReadHost(db, host, since())) ? await iconOf(host) : null)
    },
  })
  jobs.register('forget-link-previews', () => forgetLinks(db, since()), { cron: '41 * * * *' })
}

/** Returns the address without its fragment. @throws AppError `invalid` when it cannot have a preview */
function checked(url: string): string {
  if (contract.canPreview(url)) return withoutPlace(url)
  throw new AppError('invalid', 'Only pages of the web have a preview.')
}

/** Shares the result of a call with concurrent callers of the same name. */
function shareCalls() {
  const underWay = new Map<string, Promise<unknown>>()
  return <Found>(name: string, find: () => Promise<Found>): Promise<Found> => {
    const found = underWay.get(name) ?? find().finally(() => underWay.delete(name))
    underWay.set(name, found)
    return found as Promise<Found>
  }
}

async function send(reply: FastifyReply, picture: KeptPicture | null): Promise<void> {
  if (!picture?.content || !picture.media_type) return void (await reply.status(204).send())
  await reply
    .header('content-type', picture.media_type)
    .header('content-disposition', 'inline; filename="picture"')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=3600')
    .send(picture.content)
}
