import { type RefObject, useEffect } from 'react'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import type { ComposerHandle } from './message-field.tsx'

/** Who opens the chat or begins a new one can write at once. On a touch screen a keyboard would cover what is there. */
export function useComposerFocus(composer: RefObject<ComposerHandle | null>): void {
  const isCreating = useCurrentSession((state) => state.isCreating)
  useEffect(() => {
    const isFree = document.activeElement === document.body && !location.search
    if (isFree && hasKeyboard()) composer.current?.focus()
  }, [composer])
  useEffect(() => {
    if (isCreating && hasKeyboard()) composer.current?.focus()
  }, [isCreating, composer])
}

function hasKeyboard(): boolean {
  return !matchMedia('(pointer: coarse)').matches
}
