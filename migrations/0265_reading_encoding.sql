-- The encoding a person chose for a text that does not name its own; empty where it is recognised.
alter table readings
  add column encoding text not null default '',
  drop constraint readings_blob_id_pipeline_key,
  add constraint readings_blob_id_pipeline_encoding_key unique (blob_id, pipeline, encoding);
