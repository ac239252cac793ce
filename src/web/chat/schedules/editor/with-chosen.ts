/** Returns the options with an empty one, and the chosen one when it is not among them. */
export function withChosen(known: { value: string; label: string }[], chosen: string, none: string) {
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen)
  return [{ value: '', label: none }, ...(isKnown ? [] : [{ value: chosen, label: '…' }]), ...known]
}
