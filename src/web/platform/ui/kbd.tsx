import type { ReactNode } from 'react'

/** Keys of the keyboard, as printed on them. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="min-w-4.5 rounded-tag border border-line bg-bg px-[5px] text-center font-ui text-11 leading-[18px] font-medium whitespace-nowrap text-ink-3">
      {children}
    </kbd>
  )
}

/** Returns the notation of a shortcut here: `mod` is ⌘ on Apple keyboards and Ctrl elsewhere. */
export function shortcutLabel(keys: ('mod' | 'shift' | string)[]): string {
  const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
  const names: Record<string, string> = { mod: isApple ? '⌘' : 'Ctrl', shift: '⇧' }
  return keys.map((key) => names[key] ?? key).join(' ')
}
