import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import type { Entry } from './event-entry.ts'

/** Maximum number of characters shown. Longer data can only be copied. */
const SHOWN_CHARACTERS = 20_000

/** Formatted data of one event. */
export function EventDetail({ entry }: { entry: Entry | null }) {
  const { t } = useTranslation('admin')
  if (!entry)
    return (
      <p className="rounded-card border border-line px-3.5 py-3 text-13 text-ink-3">
        {t('debug.choose_event')}
      </p>
    )
  const text = layOut(entry.data)
  return (
    <figure className="min-w-0 overflow-hidden rounded-card border border-line">
      <figcaption className="flex h-9 items-center gap-2 border-b border-line bg-surface pr-1 pl-3.5 text-12 text-ink-2">
        <span className="num min-w-0 flex-1 truncate font-medium">
          {entry.id === null
            ? entry.type
            : t('debug.event_of_id', { type: entry.type, id: groupDigits(entry.id) })}
        </span>
        <CopyButton name={t('debug.copy_json')} size="sm" read={() => text} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-60 overflow-auto px-3.5 py-2.5 font-mono text-12 leading-5 break-words whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {colour(text.slice(0, SHOWN_CHARACTERS))}
        {text.length > SHOWN_CHARACTERS && '…'}
      </pre>
    </figure>
  )
}

/** Groups the digits of an id in threes, for easier comparison. */
export function groupDigits(id: string): string {
  if (!/^\d+$/.test(id)) return id
  const first = id.length % 3
  return [id.slice(0, first), ...(id.slice(first).match(/.../g) ?? [])].filter(Boolean).join('\u00a0')
}

function layOut(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2)
  } catch {
    return data
  }
}

function colour(json: string) {
  // JSON strings contain no line breaks, so a truncated string ends with its line.
  return json.split(/("(?:[^"\\\n]|\\.)*(?:"|\\?$))/m).map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is always replaced as a whole.
      <span key={at} className="text-(--sk-string)">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
