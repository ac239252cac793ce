-- A passage may have a vector of each of several embedding models, while the library goes over from one to another.
alter table chunk_vectors drop constraint chunk_vectors_pkey, add primary key (chunk_id, model);
create index chunk_vectors_model on chunk_vectors (model);

-- What is searched is live. Beside it the library may have a collection of another model that is being built, the one that was live before
-- and is kept for a return, and such as are about to be deleted.
alter table collections
  add column role text not null default 'live' check (role in ('live', 'building', 'kept', 'leaving')),
  add column kept_since timestamptz,
  -- Why building does not get on, in a sentence.
  add column standstill text;
alter table collections drop constraint collections_name_key;
create unique index collections_name_role on collections (name, role) where role <> 'leaving';
