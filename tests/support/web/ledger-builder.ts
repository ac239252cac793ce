import type { LedgerEntry } from '#shared/money/billing/billing.ts'

/** Returns a line of the money ledger, with defaults. */
export function anEntry(given: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: crypto.randomUUID(),
    amount: -0.06,
    kind: 'usage',
    reason: 'Reply',
    model_name: 'openai/gpt-4o',
    session_id: null,
    session_title: null,
    input_tokens: 12_000,
    output_tokens: 406,
    unpriced: false,
    estimated: false,
    balance: 3.14,
    created_at: '2026-11-21T09:58:00.000Z',
    ...given,
  }
}
