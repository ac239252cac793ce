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

/** What the cards of links show. The browser asks this server alone: nobody else learns who reads a link. */
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
      // Only the pictures of pages that were read: this is no way to any file of the web.
      const kept = await findPreview(db, checked(url), since())
      return send(reply, kept?.image_url ? await pictureAt(kept.image_url) : null)
    },
  })
  serve(server, contract.getFavicon, {
    handle: async ({ query: { domain }, reply }) => {
      const { host } = new URL(checked(`https://${domain}`))
      // A name can hold words as an address can: only servers that were asked for a page are asked for an icon.
      return send(reply, (await isReadHost(db, host, since())) ? await iconOf(host) : null)
    },
  })
  jobs.register('forget-link-previews', () => forgetLinks(db, since()), { cron: '41 * * * *' })
}

/** @throws AppError `invalid` for what can have no preview */
function checked(url: string): string {
  if (contract.canPreview(url)) return withoutPlace(url)
  throw new AppError('invalid', 'Only pages of the web have a preview.')
}

/** Whoever asks for the same while it is under way gets the same answer. */
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
