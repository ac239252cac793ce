/**
 * Copies text to the clipboard. The asynchronous clipboard only exists on https and localhost, and a self-hosted product is
 * often used over plain http, so it falls back to the old command.
 * @returns whether it worked
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
