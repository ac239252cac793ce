import { cleanLabel } from '#shared/platform/labels.ts'
import { type FoundSource, MAX_SOURCES } from '#shared/runs/runs/sources.ts'
import type { ModelPart } from '../../../models/models/port.ts'

const MAX_URL_LENGTH = 2_000
const MAX_TITLE_LENGTH = 300

type SourcePart = Extract<ModelPart, { type: 'source' }>

/** Collects the web pages that a provider names as sources, without duplicates and up to the limit per text. */
export function collectSources(): { take: (part: SourcePart) => void; all: () => FoundSource[] } {
  const byUrl = new Map<string, FoundSource>()
  return {
    take: ({ url, title }) => {
      const address = url.length <= MAX_URL_LENGTH && URL.canParse(url) ? new URL(url) : null
      if (!address || !/^https?:$/.test(address.protocol) || byUrl.size >= MAX_SOURCES) return
      const { href } = address
      const words = cleanLabel(title ?? '').trim()
      const shown =
        words.length > MAX_TITLE_LENGTH ? `${words.slice(0, MAX_TITLE_LENGTH).toWellFormed()}…` : words
      if (!byUrl.has(href)) byUrl.set(href, { id: href, title: shown || null, url: href })
    },
    all: () => [...byUrl.values()],
  }
}
