-- Files in the store that no row names, since when. A file is written before its row: only what stays unnamed for long is removed.
create table stray_files (
  file_key text primary key,
  seen_at timestamptz not null
);

-- How much of a person waits, and how fast documents were read of late.
create index readings_waiting on readings (user_id) where status in ('queued', 'in_progress');
create index readings_done on readings (updated_at desc) where status = 'completed';
create index blobs_file on blobs (file_key);

-- With a person go their readings and the documents that show them, in whichever order.
alter table documents alter constraint documents_reading_id_fkey deferrable initially deferred;
alter table document_versions alter constraint document_versions_reading_id_fkey deferrable initially deferred;
