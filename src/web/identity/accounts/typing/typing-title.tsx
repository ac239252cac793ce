import { useEffect, useState } from 'react'
import { prefersReducedMotion } from '../../../platform/lib/page-state.ts'
import { typedAt } from './typing.ts'

/** Self-typing title. Assistive technology and users who prefer reduced motion get the first phrase unanimated. */
export function TypingTitle({ phrases }: { phrases: string[] }) {
  const text = useTyped(phrases)
  return (
    <>
      <p className="sr-only">{phrases[0]}</p>
      <p
        aria-hidden
        className="min-h-21 text-[34px] leading-[42px] font-[560] tracking-[-0.03em] whitespace-pre-line"
      >
        {text}
        <span className="-mb-1 ml-px inline-block h-[1.15em] w-0.5 animate-caret bg-accent align-[-0.2em]" />
      </p>
    </>
  )
}

function useTyped(phrases: string[]): string {
  const isStill = prefersReducedMotion()
  const [state, setState] = useState({ phrase: 0, shown: 0 })
  const spoken = phrases.join('\n\n')
  useEffect(() => {
    if (isStill) return
    const lengths = spoken.split('\n\n').map((phrase) => [...phrase].length)
    const start = performance.now()
    let timer: ReturnType<typeof setTimeout>
    const step = () => {
      const { phrase, shown, next } = typedAt(lengths, performance.now() - start)
      setState({ phrase, shown })
      timer = setTimeout(step, Math.max(next, 16))
    }
    step()
    return () => clearTimeout(timer)
  }, [spoken, isStill])
  if (isStill) return phrases[0] ?? ''
  return [...(phrases[state.phrase] ?? '')].slice(0, state.shown).join('')
}
