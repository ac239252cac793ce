import { cleanLabel } from '#shared/platform/labels.ts'
import { type FoundSource, SOURCES_MAX } from '#shared/runs/runs/sources.ts'
import type { ModelPart } from '../../../models/models/port.ts'

const URL_MOST = 2_000
const TITLE_MOST = 300

type SourcePart = Extract<ModelPart, { type: 'source' }>

/** Collects the web pages that a provider names as sources, without duplicates and up to the limit per text. */
export function collectSources(): { take: (part: SourcePart) => void; all: () => FoundSource[] } {
  const byUrl = new Map<string, FoundSource>()
  return {
    take: ({ url, title }) => {
      const address = url.length <= URL_MOST && URL.canParse(url) ? new URL(url) : null
      if (!address || !/^https?:$/.test(address.protocol) || byUrl.size >= SOURCES_MAX) return
      const { href } = address
      const words = cleanLabel(title ?? '').trim()
      const shown = words.length > TITLE_MOST ? `${words.slice(0, TITLE_MOST).toWellFormed()}…` : words
      if (!byUrl.has(href)) byUrl.set(href, { id: href, title: shown || null, url: href })
    },
    all: () => [...byUrl.values()],
  }
}
