-- Pages of the web as they were read for a search, until they are too old.
create table web_pages (
  url_hash bytea primary key,
  url text not null,
  title text not null,
  text text not null,
  published text,
  read_at timestamptz not null default now()
);
create index web_pages_read_at on web_pages (read_at);
