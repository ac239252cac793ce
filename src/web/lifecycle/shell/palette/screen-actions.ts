/** Buttons of the view that can be named in one line. */
const MAX_NAME = 60
const buttons = ':is(button, [role="button"], [role="tab"], [role="switch"]):not(h1 *)'

export type ScreenAction = { name: string; run: () => void }

/**
 * Returns the buttons of the current view by their names. When several messages have the same button, the last one counts. Elsewhere a name that
 * several buttons have does not tell which one is meant, so those are left out.
 */
export function readScreenActions(view: ParentNode): ScreenAction[] {
  const byName = new Map<string, HTMLElement[]>()
  for (const button of view.querySelectorAll<HTMLElement>(buttons)) {
    const name = nameOf(button)
    if (!name || name.length > MAX_NAME || !isUsable(button)) continue
    byName.set(name, [...(byName.get(name) ?? []), button])
  }
  return [...byName].flatMap(([name, found]) => {
    const button = found.at(-1)
    const isClear = found.length === 1 || found.every((one) => one.closest('.transcript'))
    return button && isClear ? { name, run: () => press(button) } : []
  })
}

function nameOf(button: HTMLElement): string {
  const label = button.getAttribute('aria-label') ?? textOf(button.getAttribute('aria-labelledby'))
  return (label ?? button.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function textOf(ids: string | null): string | null {
  if (!ids) return null
  return ids
    .split(/\s+/)
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
}

function isUsable(button: HTMLElement): boolean {
  if (button.matches(':disabled, [aria-disabled="true"], [hidden] *, [inert] *')) return false
  return button.checkVisibility?.({ visibilityProperty: true }) ?? true
}

function press(button: HTMLElement): void {
  if (!button.isConnected) return
  button.focus()
  button.click()
}
