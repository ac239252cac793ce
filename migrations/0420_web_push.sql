-- The key pair by which push services recognize this installation (VAPID, RFC 8292).
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Browsers that a person lets notify them. A subscription ends with the sign-in of its browser.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null references access_tokens on delete cascade,
  -- Address at the push service of the browser, and the keys that encrypt for it (RFC 8291), base64url.
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_user on push_subscriptions (user_id, created_at, id);
create index push_subscriptions_token on push_subscriptions (token_hash);

alter table notification_deliveries drop constraint notification_deliveries_channel_check;
alter table notification_deliveries add check (channel in ('mail', 'push', 'webhook'));
-- Subscriptions that a push reached.
alter table notification_deliveries add column reached uuid[] not null default '{}';
