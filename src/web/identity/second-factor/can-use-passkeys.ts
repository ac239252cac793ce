/** Whether this browser can use passkeys at this address: they need https, or this very machine by its name. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
}
