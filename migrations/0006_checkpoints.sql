-- Coming to rest and going on again are records, so that what was said of them survives as the rest does.
alter table run_records drop constraint run_records_kind_check;
alter table run_records add constraint run_records_kind_check check (
  kind in ('input', 'started', 'step', 'checkpoint', 'ask', 'answer', 'pause', 'resume', 'end'));

-- Why a run is paused: a person asked for it, or the balance was used up.
alter table runs add column paused_for text check (paused_for in ('request', 'balance'));
create index runs_unpaid on runs (user_id) where state = 'paused' and paused_for = 'balance';
create index runs_forks on runs (forked_from_run) where forked_from_run is not null;

-- What people call a checkpoint; the checkpoint itself is a record of a journal and never changes.
create table checkpoint_labels (
  run_id uuid not null references runs on delete cascade,
  key text not null,
  label text not null,
  updated_at timestamptz not null default now(),
  primary key (run_id, key)
);
