-- What pages of the web say of themselves, for the cards of links; kept for a day; also of pages that could not be read.
create table link_previews (
  url_hash bytea primary key,
  url text not null,
  preview jsonb not null,
  image_url text,
  read_at timestamptz not null
);
create index link_previews_read_at on link_previews (read_at);

-- The pictures and icons of those cards, by their address. Null: there is none that can be shown.
create table link_pictures (
  url_hash bytea primary key,
  media_type text,
  content bytea,
  read_at timestamptz not null
);
create index link_pictures_read_at on link_pictures (read_at);
