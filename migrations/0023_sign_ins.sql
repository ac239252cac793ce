-- A person sees where they are signed in: what each token was last used with and from, under an id that is no secret.
alter table access_tokens
  add column id uuid not null default gen_random_uuid(),
  add column user_agent text,
  add column address text;

-- Whoever reads a stream with a token that is gone is asked again at once, on every process.
create function tell_sign_out() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_sign_out', old.user_id::text);
  return null;
end $$;
create trigger access_tokens_sign_out after delete on access_tokens for each row execute function tell_sign_out();
