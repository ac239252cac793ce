-- The change of a directory that was refused last, and why; a new token begins without.
alter table scim_tokens add column refused text, add column refused_at timestamptz;
