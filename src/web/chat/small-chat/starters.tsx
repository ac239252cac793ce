import { ArrowUpRight } from 'lucide-react'

/** Maximum examples shown at the start of a chat. */
const MAX_ITEMS = 4

/** Starters; a click sends one. */
export function Starters({
  texts,
  onChoose,
}: {
  texts: readonly string[]
  onChoose: (text: string) => void
}) {
  return (
    <ul className="grid gap-2">
      {texts.slice(0, MAX_ITEMS).map((text) => (
        <li key={text}>
          <button type="button" className="starter" onClick={() => onChoose(text)}>
            <span className="min-w-0 wrap-anywhere">{text}</span>
            <ArrowUpRight aria-hidden className="icon-14 text-ink-3" />
          </button>
        </li>
      ))}
    </ul>
  )
}
