import { ChevronRight } from 'lucide-react'
import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { listOf } from './server-facts.tsx'

/** Maximum number of names shown; the rest are counted. */
const NAMED = 4

type ServerGlanceProps = { server: McpServer; onOpen: (section: 'prompts' | 'resources') => void }

/** Summary of a server's prompts and resources: counts and first names, with links to the full lists. */
export function ServerGlance({ server: { prompts, resources }, onOpen }: ServerGlanceProps) {
  const { t } = useTranslation('tools')
  const parts = [
    { section: 'prompts' as const, names: prompts.filter(isThere).map(({ name }) => name) },
    { section: 'resources' as const, names: resources.filter(isThere).map(({ name, uri }) => name || uri) },
  ].filter(({ names }) => names.length > 0)
  if (parts.length === 0) return null
  return (
    <section aria-label={t('servers.also')} className="grid gap-3 sm:grid-cols-2">
      {parts.map(({ section, names }) => (
        <button
          key={section}
          type="button"
          onClick={() => onOpen(section)}
          className="min-w-0 rounded-card border border-line px-3.5 py-2.5 text-left hover-motion hover:border-line-2 hover:bg-surface"
        >
          <span className="flex items-center gap-2 text-13 font-medium">
            {t(`servers.section.${section}`)}
            <span className="num font-regular text-ink-3">{names.length}</span>
            <ChevronRight aria-hidden className="icon-12 ml-auto flex-none text-ink-3" />
          </span>
          <span className="line-clamp-2 text-12 text-ink-2">{namesOf(t, names)}</span>
        </button>
      ))}
    </section>
  )
}

const isThere = ({ is_there }: { is_there: boolean }) => is_there

function namesOf(t: ReturnType<typeof useTranslation<'tools'>>['t'], names: string[]): string {
  const shown = listOf(names.slice(0, NAMED))
  const count = names.length - NAMED
  return count > 0 ? t('servers.names_more', { names: shown, count }) : shown
}
