import type { Generated } from 'kysely'
import type { BudgetKind, BudgetPeriod } from '#shared/money/budgets/budget-kinds.ts'
import type { CreatedAt, Num, OptionalTime } from './columns.ts'

/** The reason for a pause. */
export type PausedFor = 'request' | 'balance' | 'budget'

/** The ledger and the data derived from it. */
export type MoneyTables = {
  ledger_entries: {
    id: Generated<string>
    user_id: string
    kind: 'start' | 'top_up' | 'usage' | 'absorbed' | 'correction'
    amount: number
    reason: Generated<string>
    model_name: string | null
    session_id: string | null
    run_id: string | null
    key_id: string | null
    company_id: string | null
    group_ids: Generated<string[]>
    /** Project of the run, or of the chat for calls without a run. A trigger sets it. */
    workspace_id: Generated<string | null>
    assistant_id: string | null
    tool_id: string | null
    payment_id: string | null
    step_key: string | null
    attempt: number | null
    input_tokens: number | null
    output_tokens: number | null
    cached_tokens: number | null
    unpriced: Generated<boolean>
    estimated: Generated<boolean>
    estimated_amount: number | null
    created_at: CreatedAt
  }
  user_balances: { user_id: string; balance: Num; entries: Num }
  user_months: {
    user_id: string
    month: string
    amount: number
    input_tokens: Num
    output_tokens: Num
    calls: Num
  }
  balance_reservations: {
    id: string
    user_id: string
    instance_id: string
    run_id: string
    amount: number
    created_at: CreatedAt
  }
  payments: {
    id: Generated<string>
    user_id: string
    amount: number
    state: Generated<'open' | 'paid' | 'ended'>
    checkout_id: string | null
    invoice_number: string | null
    invoice_url: string | null
    created_at: CreatedAt
    paid_at: OptionalTime
  }
  payment_events: { id: string; told_at: CreatedAt }
  run_prices: {
    run_id: string
    company_id: string | null
    assistant_id: Generated<string>
    agent_type: string
    model_name: string
    known: number
    paid: number
    low: number | null
    high: number | null
    runs: number | null
    finished_at: Date
  }
  price_question: { only_row: Generated<boolean>; above: number | null }
  budgets: {
    id: Generated<string>
    kind: BudgetKind
    company_id: string | null
    group_id: string | null
    user_id: string | null
    assistant_id: string | null
    key_id: string | null
    workspace_id: Generated<string | null>
    period: BudgetPeriod
    amount: number
    since: string
    spent: Num
    created_at: CreatedAt
  }
  budget_reservations: {
    id: string
    budget_id: string
    instance_id: string
    run_id: string
    amount: number
  }
  usage_days: {
    day: string
    user_id: string
    company_id: string | null
    group_ids: Generated<string[]>
    model_name: string | null
    assistant_id: string | null
    tool_id: string | null
    amount: Num
    input_tokens: Num
    output_tokens: Num
    calls: Num
  }
}
