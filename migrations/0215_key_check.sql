-- One sentence sealed with the key of the installation: a start with another key finds that it does not open.
create table key_checks (
  only_row boolean primary key default true check (only_row),
  sealed text not null
);
