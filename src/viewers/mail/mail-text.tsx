import clsx from 'clsx'
import { useEffect, useRef } from 'react'
import { isWithin } from './passage.ts'

/** Shows a plain text mail with the paragraphs of the passage marked. */
export function MailText({ text, passage }: { text: string; passage: string | null }) {
  const body = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage is another place.
  useEffect(
    () => body.current?.querySelector('[data-passage]')?.scrollIntoView({ block: 'center' }),
    [passage],
  )
  return (
    <div ref={body} className="grid gap-4 text-15 leading-6">
      {paragraphsOf(text).map(({ key, words }) => {
        const isMarked = passage !== null && isWithin(words, passage)
        return (
          <p
            key={key}
            data-passage={isMarked || undefined}
            className={clsx(
              'break-words whitespace-pre-wrap',
              isMarked && '-mx-4 border-l-2 border-accent bg-accent-soft px-3.5 py-2',
            )}
          >
            {words}
          </p>
        )
      })}
    </div>
  )
}

function paragraphsOf(text: string): { key: string; words: string }[] {
  return text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n/)
    .map((words, at) => ({ key: `${at}`, words: words.replace(/^\n+/, '').trimEnd() }))
}
