-- What a provider's refusals taught about one model of one address; asked again once it expires.
create table model_adaptations (
  model_id text not null,
  base_url text not null,
  name text not null,
  -- The parameter or the tool it is about; empty for what is about the whole request.
  about text not null default '',
  value double precision,
  -- The sentence of the provider it was learned from.
  said text not null,
  learned_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (model_id, base_url, name, about)
);
