import { ArrowUpRight } from 'lucide-react'

/** So many of an assistant's examples stand where a chat begins. */
const MOST = 4

/** What one may begin with; a click sends it. */
export function Starters({
  texts,
  onChoose,
}: {
  texts: readonly string[]
  onChoose: (text: string) => void
}) {
  return (
    <ul className="grid gap-2">
      {texts.slice(0, MOST).map((text) => (
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
