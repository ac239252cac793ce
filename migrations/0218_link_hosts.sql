-- The server of a page whose preview was read: its icon may be fetched, that of no other server.
alter table link_previews add column host text not null default '';
update link_previews set host = coalesce(substring(url from '^[a-z]+://(?:[^/@]*@)?([^/?#]+)'), '');
create index link_previews_host on link_previews (host, read_at);
