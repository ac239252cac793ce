-- Payments by card, as Stripe Checkout makes them. What was paid is the ledger's; a payment says where it came from.
create table payments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- Dollars that were asked for.
  amount numeric(18, 9) not null check (amount > 0),
  state text not null default 'open' check (state in ('open', 'paid', 'ended')),
  checkout_id text unique,
  invoice_number text,
  invoice_url text,
  created_at timestamptz not null default clock_timestamp(),
  paid_at timestamptz
);
create index payments_user on payments (user_id, created_at desc, id);

-- A payment is booked once, however often it is told.
alter table ledger_entries add column payment_id uuid references payments on delete set null;
create unique index ledger_entries_payment on ledger_entries (payment_id) where payment_id is not null;

-- What Stripe has told, so that what comes again does nothing. Swept by nobody: an id and a time.
create table payment_events (
  id text primary key,
  told_at timestamptz not null default clock_timestamp()
);
