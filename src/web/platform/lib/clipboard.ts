/**
 * Puts text on the clipboard. The asynchronous clipboard exists on https and localhost only, and a self-hosted
 * product is often reached over plain http: there the old command does it.
 * @returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // The browser refused; the command below may still be allowed.
    }
  }
  return copyByCommand(text)
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand?.('copy') ?? false
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
