-- Interfaces of own tools that were uploaded: where their module stands in the file store.
alter table own_tool_interfaces
  add file_key text unique,
  add file_size bigint;
