import type { ReactNode } from 'react'
import { isApple } from '../lib/me/shortcuts.ts'

/** Keys of the keyboard, as printed on them. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="min-w-4.5 rounded-tag border border-line bg-bg px-[5px] text-center font-ui text-11 leading-[18px] font-medium whitespace-nowrap text-ink-3">
      {children}
    </kbd>
  )
}

/** Splits the keys of a shortcut, such as `mod+shift+o`; the last part is the key itself, which may be `+`. */
export function partsOf(keys: string): string[] {
  const at = keys.lastIndexOf('+', keys.length - 2)
  return at < 0 ? [keys] : [...keys.slice(0, at).split('+'), keys.slice(at + 1)]
}

/** Returns the notation of a shortcut here: `mod` is ⌘ on Apple keyboards and Ctrl elsewhere. */
export function shortcutLabel(keys: string): string {
  return partsOf(keys).map(keyLabel).join(' ')
}

function keyLabel(key: string): string {
  const names: Record<string, string> = {
    ...{ mod: isApple ? '⌘' : 'Ctrl', ctrl: isApple ? '⌃' : 'Ctrl', alt: isApple ? '⌥' : 'Alt', shift: '⇧' },
    ...{ arrowup: '↑', arrowdown: '↓', arrowleft: '←', arrowright: '→' },
    ...{ enter: '↵', escape: 'Esc', delete: '⌫', backspace: '⌫' },
  }
  return names[key] ?? (key.length > 2 ? `${key[0]?.toUpperCase()}${key.slice(1)}` : key.toUpperCase())
}
