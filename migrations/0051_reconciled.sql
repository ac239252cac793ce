-- When the vector store was last compared with the database, and what had to be mended the last time something had to:
-- {at, removed: {documents, passages}, restored: {documents, passages}}.
alter table collections add column reconciled_at timestamptz, add column mended json;
