-- What replies cost, beside what was known of each before it began: the next ones like them are reckoned from these. Written once, with the
-- end of a reply of a model that has a price. Nobody is named; a row goes with its run.
create table run_prices (
  run_id uuid primary key references runs on delete cascade,
  -- The company whose money it was, as in the ledger.
  company_id uuid,
  -- Empty without one.
  assistant_id text not null default '',
  agent_type text not null,
  model_name text not null,
  -- Dollars: what the conversation costs when it is read once, and what the whole reply cost.
  known double precision not null,
  paid double precision not null,
  -- The interval that was stated before it began, and from how many replies; null when there were too few.
  low double precision,
  high double precision,
  runs integer,
  finished_at timestamptz not null,
  check (paid > 0),
  check ((low is null) = (high is null) and (low is null) = (runs is null))
);
create index run_prices_assistant on run_prices (model_name, agent_type, assistant_id, finished_at desc) include (known, paid);
create index run_prices_agent on run_prices (model_name, agent_type, finished_at desc) include (known, paid);
create index run_prices_time on run_prices (finished_at) include (company_id, low, high, paid);

-- From which price on people are asked before a reply begins. One row, or none: then the product's own figure holds.
create table price_question (
  only_row boolean primary key default true check (only_row),
  -- Dollars; null: nobody is asked.
  above double precision check (above >= 0)
);
