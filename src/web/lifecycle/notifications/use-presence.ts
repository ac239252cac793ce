import { useEffect } from 'react'
import { PRESENCE_MS, reportPresence } from '#shared/lifecycle/notifications/notifications.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isLive } from '../../platform/lib/api/query-client.ts'

/** Each tab reports itself, so that a tab that loses the focus to another one does not hide it. */
const browserId = randomId()

/** Reports while this tab has the focus and changes are pushed to it, and when it loses the focus. */
export function usePresence(): void {
  useEffect(() => {
    let wasPresent = false
    const report = () => {
      const isPresent = document.visibilityState === 'visible' && document.hasFocus()
      if (isPresent ? !isLive() : !wasPresent) return
      wasPresent = isPresent
      const body = { browser_id: browserId, is_present: isPresent }
      // Without an answer, the next report says it, or the last one expires.
      call(reportPresence, { body, quiet: true }).catch(() => undefined)
    }
    report()
    const timer = setInterval(report, PRESENCE_MS)
    const names = ['focus', 'blur', 'visibilitychange'] as const
    for (const name of names) window.addEventListener(name, report)
    return () => {
      clearInterval(timer)
      for (const name of names) window.removeEventListener(name, report)
    }
  }, [])
}

/** Returns a random UUID, also on pages without encryption, where `crypto.randomUUID` is missing. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
