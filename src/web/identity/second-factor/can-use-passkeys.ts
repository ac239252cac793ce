/** Returns whether this browser supports passkeys at this address. Passkeys need https or localhost. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname)
}
