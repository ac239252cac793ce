import type { LinkPreview } from '#shared/knowledge/link-previews/link-previews.ts'
import type { CreatedAt, Json, Time } from './columns.ts'

/** Cached web pages until they expire, and data sent to a CRM. */
export type WebTables = {
  web_pages: {
    url_hash: Buffer
    url: string
    title: string
    text: string
    published: string | null
    read_at: Time
  }
  link_previews: {
    url_hash: Buffer
    url: string
    preview: Json<Omit<LinkPreview, 'fetched'>>
    host: string
    image_url: string | null
    read_at: Time
  }
  link_pictures: {
    url_hash: Buffer
    media_type: string | null
    content: Buffer | null
    read_at: Time
  }
  prospect_imports: { execution_id: string; place: number; imported_at: CreatedAt }
}
