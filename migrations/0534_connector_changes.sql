-- Later syncs of sources that report changes read only these.
alter table connectors
  -- Token from which the source reports changes; null when the next sync lists everything.
  add column changes_token text,
  -- Number of the last sync that listed everything. Items with a lower one are missing.
  add column listing_number integer not null default 0,
  -- End of the last complete listing.
  add column listed_at timestamptz;
update connectors set listing_number = sync_number, listed_at = last_sync_at;
