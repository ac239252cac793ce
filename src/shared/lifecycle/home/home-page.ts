type WithPreferences = { preferences: Record<string, unknown> }

/** Returns whether the product opens with the home page for a person. It does unless they turned it off. */
export function wantsHome({ preferences }: WithPreferences): boolean {
  return preferences.home_page !== false
}
